import { outage, refusal } from "./descriptor.ts";

/** Refusals of signers. */
export const SIGNER_ERRORS = {
  AuthorisationInvalid: refusal(
    403,
    "The authorisation is not signed by the authority.",
    "Send what the gateway authorised.",
  ),
  AuthorisationNotCurrent: outage(
    503,
    "The authority did not sign this in the last minutes, by this signer's clock.",
    "Start the gateway, which signs anew what is still wanted, wait a moment, and compare the clocks of gateway and signer.",
  ),
  TransactionMismatch: refusal(
    403,
    "The transaction does not do what was authorised.",
    "Build the transaction from the authorised request.",
  ),
  TransactionUnreadable: refusal(
    400,
    "The transaction cannot be decoded.",
    "Send the canonical unsigned transaction, with nothing in it that is not read: docs/api.md lists what is.",
  ),
  TransactionNotExcluding: refusal(
    409,
    "This signer has signed another transaction of this request, which could still land.",
    "Build a transaction that excludes each earlier one, or wait until the gateway has seen that the earlier one can no longer land (INV-4).",
  ),
  DeadlineNotPassed: outage(
    503,
    "An earlier transaction of this request is stated to be dead, but its deadline has not passed by this signer's clock.",
    "Try again when the deadline has passed by a minute; look at the signer's clock when it has (INV-4).",
  ),
  SignerOlder: outage(
    503,
    "The signer is of an older version.",
    "Upgrade the signer that the message names, then try again.",
  ),
  SignerLifeUnknown: outage(
    503,
    "The command does not name the life of each of its signers: one of them has started anew, or an orchestrator of an older version asks.",
    "Try again, which names the lives anew; upgrade orchestrators and signers of an older version.",
  ),
  SessionReused: refusal(409, "The session id was used before.", "Begin a session under a fresh id (INV-2)."),
  SessionExpired: outage(
    503,
    "The session's deadline has passed, by this signer's clock.",
    "Begin a fresh session. If that is over at once, too, compare the clocks of the orchestrator and of the signers.",
  ),
  DeadlineTooFar: outage(
    503,
    "The session's deadline is farther ahead than this signer takes, by its clock.",
    "Compare the clocks of the orchestrator and of the signers: one of them is wrong.",
  ),
  KeyNotProven: refusal(
    409,
    "The attestations do not prove what is said of the key.",
    "Read them again with GET /keys/{keyId}/attestations, and name the roster that was pinned; pay to no address of a key that nothing proves.",
  ),
  EvidenceUnreadable: refusal(
    400,
    "The file holds no evidence that this program reads.",
    "Export it again with conclave faults export, by a conclave of the version that checks it.",
  ),
  EvidenceForeign: refusal(
    409,
    "The evidence is of another cluster, or against another signer or identity.",
    "Name the roster and the signer that it is against: conclave verify-evidence says which these are.",
  ),
  EvidenceNotProven: refusal(
    409,
    "The evidence does not prove that a signer deviated.",
    "Check it with conclave verify-evidence, and blame nobody for a file that proves nothing.",
  ),
  EvidenceUsed: refusal(
    409,
    "A signer was put out for this evidence already.",
    "Take up the change that was interrupted: conclave roster change without options.",
  ),
  QuorumInvalid: refusal(
    400,
    "The quorum is not valid for this cluster.",
    "Name exactly threshold distinct signers.",
  ),
  StoreUnconfirmed: outage(
    503,
    "Too few other signers have confirmed since this signer's start that its store is no older copy.",
    "Try again in some seconds. If it lasts, start more signers: t − 1 others must have said since this one's start that they remember no more of it than its store.",
  ),
  KeyNotRefreshed: outage(
    503,
    "This signer's store was an older copy, and it has held the key since before.",
    "Run conclave refresh: this signer signs with a key again once all signers have given it its next epoch.",
  ),
  KeyHandedOver: outage(
    503,
    "This signer has handed the key over to its next holders.",
    "Try again in a moment; run conclave roster move if it lasts, which ends a change of the key's holders.",
  ),
  RequestPrecedesHolders: refusal(
    409,
    "The request, or one that it replaces, was asked for before the key came to its present holders, who cannot know whether the holders of before signed it.",
    "Ask for it again if the chain does not show it (INV-4).",
  ),
  KeyUnknown: refusal(404, "This signer holds no active share of the key.", "Check the key id."),
  KeySchemeMismatch: refusal(
    409,
    "The key's scheme does not sign this.",
    "Name the key's own scheme: ECDSA keys sign transactions, FROST keys sign messages.",
  ),
  KeyExists: refusal(409, "The key id exists already.", "Use a fresh key id."),
  KeyEpochMismatch: refusal(
    409,
    "This signer holds another epoch of the key.",
    "Ask the signers for the epoch and authorise a change of that one.",
  ),
  KeyChangePending: refusal(
    409,
    "A change of this key is under way at this signer.",
    "Wait for its end, or cancel it.",
  ),
  EpochRefused: refusal(
    409,
    "The new epoch is not above all that this signer holds, or too far above what is active.",
    "Ask the signers for what they hold, and authorise the next epoch above all of it.",
  ),
  EpochsPending: refusal(
    409,
    "This signer holds as many new epochs that never became active as it keeps.",
    "Find out which signer keeps failing, repair it, and have those epochs discarded: conclave discard-epochs.",
  ),
  EpochUncertified: refusal(
    409,
    "A new epoch becomes active by its certificate alone: the receipts of all signers.",
    "Run conclave refresh or conclave reprovision, which brings the certificate and takes every signer.",
  ),
  EpochReceipted: refusal(
    409,
    "This signer signed a receipt for that epoch, so others may have activated it: it keeps it.",
    "Show the waivers of threshold other signers, or let a later epoch replace it.",
  ),
  EpochLacking: refusal(
    409,
    "This signer holds nothing of the epoch that the certificate names.",
    "Run conclave reprovision, which gives it a share again.",
  ),
  EpochCertificateInvalid: refusal(
    403,
    "The certificate does not hold one receipt of every signer of the roster over the same epoch.",
    "Ask a signer that is in the epoch for its certificate.",
  ),
  KeyImportDisabled: refusal(
    403,
    "This signer takes part in no import of a key.",
    "Have an operator set CONCLAVE_KEY_IMPORT=allowed at every signer and restart them.",
  ),
  KeyImportUnavailable: refusal(
    409,
    "The cluster's roster has no keys that a client could encrypt shares to.",
    "Provision the cluster again where all its identities lie: rosters of before do not name them.",
  ),
  KeyImportRefused: refusal(
    400,
    "The encrypted shares are not those of one key for these signers.",
    "Shard the key again for exactly the signers that GET /signers lists: details say what is wrong.",
  ),
  KeyImportEnvelopesUsed: refusal(
    409,
    "These encrypted shares were used before.",
    "Encrypt the shares again: they serve one import. If you never sent these, somebody else has: move what the key holds.",
  ),
  KeyExportDisabled: refusal(
    403,
    "This signer hands out no share of a key.",
    "Have an operator set CONCLAVE_KEY_EXPORT=allowed at a threshold of signers and restart them.",
  ),
  KeyExportRefused: refusal(
    409,
    "The key cannot be exported like this.",
    "Ask anew, with a fresh request and a scheme that the key has.",
  ),
  AuxiliaryMissing: outage(
    503,
    "The signers have no auxiliary information yet.",
    "Wait until the cluster is ready.",
  ),
  PresignatureUnknown: refusal(
    404,
    "This signer holds no such presignature ready.",
    "Take another presignature, or sign without one.",
  ),
  PresignatureMismatch: refusal(
    409,
    "The presignature was made for another key, quorum or epoch.",
    "Take one of exactly this key and quorum, or sign without one.",
  ),
  PresignatureSpent: refusal(
    409,
    "The presignature was spent on this digest before.",
    "Take another presignature; one that failed is not tried again (INV-2).",
  ),
  PresignatureReused: refusal(
    409,
    "The presignature was spent on another digest: two would give the key away.",
    "Find out who asked: an honest coordinator never does (INV-2).",
  ),
  RawDigestRefused: refusal(
    403,
    "A digest that the signer did not compute meets no presignature: with one it could sign something else (P7).",
    "Sign a hash without a presignature.",
  ),
  PoolFull: outage(503, "The signer holds as many presignatures as it may.", "Use or discard some first."),
  CallerNotAllowed: refusal(
    403,
    "The certificate's role does not allow this call.",
    "Use the right client certificate.",
  ),
  TooManySessions: outage(503, "The signer runs as many sessions as it may.", "Try again in a moment."),
} as const;
