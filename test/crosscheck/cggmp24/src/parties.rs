use std::collections::VecDeque;
use std::fmt::Debug;

use cggmp24::round_based::state_machine::{ProceedResult, StateMachine};
use cggmp24::round_based::{Incoming, MessageDestination, MessageType, Outgoing};

/// Puts a message into the inboxes of its recipients.
fn post<M: Clone>(inboxes: &mut [VecDeque<Incoming<M>>], from: usize, sent: Outgoing<M>) {
    let Outgoing { recipient, msg } = sent;
    for (to, inbox) in inboxes.iter_mut().enumerate() {
        let msg_type = match recipient {
            MessageDestination::AllParties if to != from => MessageType::Broadcast,
            MessageDestination::OneParty(receiver) if to == usize::from(receiver) => {
                MessageType::P2P
            }
            _ => continue,
        };
        // errors here never mention message ids, so all ids may be equal
        inbox.push_back(Incoming {
            id: 0,
            sender: from as u16,
            msg_type,
            msg: msg.clone(),
        });
    }
}

/// Runs all parties of a protocol in this thread. The crate's own simulation waits for ever once a party has ended with an
/// error.
///
/// Returns the output of each party or, if some party has none when no party can go on, the error of each of those.
pub fn run<S, T, F, M>(mut parties: Vec<S>) -> Result<Vec<T>, String>
where
    S: StateMachine<Output = Result<T, F>, Msg = M>,
    F: Debug,
    M: Clone,
{
    let count = parties.len();
    let mut inboxes: Vec<VecDeque<Incoming<M>>> = (0..count).map(|_| VecDeque::new()).collect();
    let mut outputs: Vec<Option<Result<T, F>>> = (0..count).map(|_| None).collect();
    let mut waits = vec![false; count];
    let mut moved = true;
    while moved {
        moved = false;
        for (at, party) in parties.iter_mut().enumerate() {
            while outputs[at].is_none() {
                if waits[at] {
                    let Some(message) = inboxes[at].pop_front() else {
                        break;
                    };
                    party
                        .received_msg(message)
                        .map_err(|_| "a party took no message".to_string())?;
                    waits[at] = false;
                }
                moved = true;
                match party.proceed() {
                    ProceedResult::SendMsg(sent) => post(&mut inboxes, at, sent),
                    ProceedResult::NeedsOneMoreMessage => waits[at] = true,
                    ProceedResult::Yielded => {}
                    ProceedResult::Output(output) => outputs[at] = Some(output),
                    ProceedResult::Error(error) => return Err(format!("{error:?}")),
                }
            }
        }
    }
    let failures: Vec<String> = outputs
        .iter()
        .enumerate()
        .filter_map(|(at, output)| match output {
            Some(Ok(_)) => None,
            Some(Err(error)) => Some(format!("signer {at}: {error:?}")),
            None => Some(format!("signer {at} waits")),
        })
        .collect();
    if failures.is_empty() {
        Ok(outputs.into_iter().flatten().flatten().collect())
    } else {
        Err(failures.join("; "))
    }
}
