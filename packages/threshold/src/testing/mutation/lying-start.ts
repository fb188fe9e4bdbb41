import type { PartyIndex } from "../../fault.ts";
import type { Inbox, Round, Start, Step } from "../../session/round.ts";

/**
 * A party's lie in one round, and the broadcasts that it pretends to have received, so that it continues as
 * its victims do.
 */
interface Pretence {
  readonly round: number;
  /** the broadcast in place of the honest payload */
  readonly say: (payload: Uint8Array) => Uint8Array;
  /** the broadcast of another party that it pretends to have received */
  readonly hear: (from: PartyIndex, payload: Uint8Array) => Uint8Array;
}

/** The protocol of a cheat that deviates in one round only. */
export const lyingStart = <Output>(start: Start<Output>, pretence: Pretence): Start<Output> => {
  const lieIn = (step: Step<Output>): Step<Output> => {
    if (step.kind !== "next") return step;
    const isLying = step.round.number === pretence.round;
    const messages = step.messages.map(({ to, payload }) => ({
      to,
      payload: isLying && to === "all" ? pretence.say(payload) : payload,
    }));
    return { kind: "next", messages, round: deceived(step.round) };
  };
  const deceived = (round: Round<Output>): Round<Output> => ({
    number: round.number,
    expects: round.expects,
    advance: (inbox, entropy) => {
      const heard: Inbox = {
        broadcast: (from) => pretence.hear(from, inbox.broadcast(from)),
        direct: inbox.direct,
      };
      return lieIn(round.advance(round.number === pretence.round ? heard : inbox, entropy));
    },
  });
  return (entropy) => lieIn(start(entropy));
};
