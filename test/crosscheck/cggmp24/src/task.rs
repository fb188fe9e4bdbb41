use cggmp24::generic_ec::{curves::Secp256k1, NonZero, Point};
use cggmp24::key_share::{AnyKeyShare, DirtyKeyShare, Validate};
use cggmp24::security_level::SecurityLevel;
use cggmp24::signing::{PresignatureCommitment, PresignaturePublicData};
use cggmp24::{DataToSign, ExecutionId, KeyShare, PartialSignature, Presignature, Signature};
use rand_core::OsRng;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Sha256;

use crate::parties::run;

type E = Secp256k1;

/// A signer's public values of a presignature, against which its partial signature is checked.
#[derive(Deserialize, Serialize)]
pub struct Commitment {
    /// k~_j·Γ
    k: Point<E>,
    /// χ~_j·Γ
    chi: Point<E>,
}

/// Signers of a key: the share of each, and the index of each among the holders, from 0.
#[derive(Deserialize)]
pub struct Quorum {
    shares: Vec<Value>,
    signers: Vec<u16>,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Task {
    /// Load a share as one of the crate's own.
    Accept { share: Value },
    /// Issue partial signatures of the SHA-256 of a message in hex, with given presignatures.
    Issue {
        presignatures: Vec<Presignature<E>>,
        commitments: Vec<Commitment>,
        message: String,
        public_key: Point<E>,
    },
    /// Presign and sign.
    Presign { quorum: Quorum, message: String },
    /// Sign in one run, without a presignature.
    Sign { quorum: Quorum, message: String },
}

#[derive(Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Answer {
    Accepted {
        threshold: u16,
        parties: u16,
        public_key: NonZero<Point<E>>,
    },
    /// The partial signatures; and the signature, if they combine to one that verifies.
    Issued {
        partials: Vec<PartialSignature<E>>,
        signature: Option<Signature<E>>,
    },
    Presigned {
        presignatures: Vec<Presignature<E>>,
        commitments: Vec<Commitment>,
        partials: Vec<PartialSignature<E>>,
        signature: Option<Signature<E>>,
    },
    Signed {
        signature: Signature<E>,
    },
    /// Values that the crate cannot parse.
    Unreadable {
        reason: String,
    },
    /// Shares that the crate's validation refuses.
    Refused {
        reason: String,
    },
    /// A run in which a party has no output.
    Failed {
        reason: String,
    },
}

/// A share that the crate's own checks have passed.
fn accept<L: SecurityLevel>(share: Value) -> Result<KeyShare<E, L>, Answer> {
    let dirty: DirtyKeyShare<E, L> =
        serde_json::from_value(share).map_err(|error| Answer::Unreadable {
            reason: error.to_string(),
        })?;
    dirty.validate().map_err(|error| Answer::Refused {
        reason: format!("{:?}", error.into_error()),
    })
}

fn accept_all<L: SecurityLevel>(shares: Vec<Value>) -> Result<Vec<KeyShare<E, L>>, Answer> {
    shares.into_iter().map(accept).collect()
}

fn data_of(message: &str) -> Result<DataToSign<E>, Answer> {
    let bytes = hex::decode(message).map_err(|error| Answer::Unreadable {
        reason: error.to_string(),
    })?;
    Ok(DataToSign::digest::<Sha256>(&bytes))
}

fn issue(
    presignatures: Vec<Presignature<E>>,
    commitments: Vec<Commitment>,
    data: DataToSign<E>,
    public_key: &Point<E>,
) -> (Vec<PartialSignature<E>>, Option<Signature<E>>) {
    let public = presignatures.first().map(|first| PresignaturePublicData {
        Gamma: first.Gamma,
        commitments: commitments
            .into_iter()
            .map(|Commitment { k, chi }| PresignatureCommitment {
                tilde_Delta: k,
                tilde_S: chi,
            })
            .collect(),
    });
    let partials: Vec<_> = presignatures
        .into_iter()
        .map(|presignature| presignature.issue_partial_signature(data))
        .collect();
    let signature = public
        .and_then(|public| PartialSignature::combine(&partials, &public, data))
        .filter(|signature| signature.verify(public_key, &data).is_ok());
    (partials, signature)
}

fn presign<L: SecurityLevel>(quorum: Quorum, data: DataToSign<E>) -> Result<Answer, Answer> {
    let Quorum { shares, signers } = quorum;
    let shares = accept_all::<L>(shares)?;
    let public_key = shares.first().map(AnyKeyShare::shared_public_key);
    let mut entropies = vec![OsRng; shares.len()];
    let machines = shares
        .iter()
        .zip(&mut entropies)
        .zip(0u16..)
        .map(|((share, entropy), at)| {
            cggmp24::signing(
                ExecutionId::new(b"crosscheck presigning"),
                at,
                &signers,
                share,
            )
            .generate_presignature_sync(entropy)
        })
        .collect();
    let outputs = run(machines).map_err(|reason| Answer::Failed { reason })?;
    let Some(((_, public), public_key)) = outputs.first().zip(public_key) else {
        return Err(Answer::Unreadable {
            reason: "a quorum without signers".to_string(),
        });
    };
    let commitments = || {
        public
            .commitments
            .iter()
            .map(|each| Commitment {
                k: each.tilde_Delta,
                chi: each.tilde_S,
            })
            .collect::<Vec<_>>()
    };
    let presignatures: Vec<_> = outputs
        .iter()
        .map(|(presignature, _)| presignature.clone())
        .collect();
    let (partials, signature) = issue(presignatures.clone(), commitments(), data, &public_key);
    Ok(Answer::Presigned {
        presignatures,
        commitments: commitments(),
        partials,
        signature,
    })
}

fn sign<L: SecurityLevel>(quorum: Quorum, data: DataToSign<E>) -> Result<Answer, Answer> {
    let Quorum { shares, signers } = quorum;
    let shares = accept_all::<L>(shares)?;
    let mut entropies = vec![OsRng; shares.len()];
    let machines = shares
        .iter()
        .zip(&mut entropies)
        .zip(0u16..)
        .map(|((share, entropy), at)| {
            cggmp24::signing(ExecutionId::new(b"crosscheck signing"), at, &signers, share)
                .sign_sync(entropy, &data)
        })
        .collect();
    let outputs = run(machines).map_err(|reason| Answer::Failed { reason })?;
    match outputs.first() {
        Some(signature) if outputs.iter().all(|each| each == signature) => Ok(Answer::Signed {
            signature: *signature,
        }),
        _ => Err(Answer::Failed {
            reason: "signers have different signatures".to_string(),
        }),
    }
}

fn try_to_perform<L: SecurityLevel>(task: Task) -> Result<Answer, Answer> {
    match task {
        Task::Accept { share } => accept::<L>(share).map(|share| Answer::Accepted {
            threshold: share.min_signers(),
            parties: share.n(),
            public_key: share.shared_public_key(),
        }),
        Task::Issue {
            presignatures,
            commitments,
            message,
            public_key,
        } => {
            let (partials, signature) =
                issue(presignatures, commitments, data_of(&message)?, &public_key);
            Ok(Answer::Issued {
                partials,
                signature,
            })
        }
        Task::Presign { quorum, message } => presign::<L>(quorum, data_of(&message)?),
        Task::Sign { quorum, message } => sign::<L>(quorum, data_of(&message)?),
    }
}

/// Performs a task at a level. A task that fails has an answer too.
pub fn perform<L: SecurityLevel>(task: Task) -> Answer {
    try_to_perform::<L>(task).unwrap_or_else(|answer| answer)
}
