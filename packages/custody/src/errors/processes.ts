import { outage, refusal } from "./descriptor.ts";

/** Processes that will not start and so answer no request; peers that cheat; broken invariants of our own. */
export const PROCESS_ERRORS = {
  ConfigurationInvalid: refusal(
    500,
    "The configuration is not valid.",
    "Correct each setting that details.issues names, and start again.",
  ),
  RosterInvalid: refusal(
    500,
    "The roster of the cluster cannot be read, or is not as the authority signed it.",
    "Name the roster of the cluster, or restore it from another process: every one has the same file.",
  ),
  PassphraseMissing: refusal(
    500,
    "There is no usable passphrase.",
    "Set CONCLAVE_KEY_FILE to the key file, or CONCLAVE_PASSPHRASE.",
  ),
  PassphraseWrong: refusal(
    500,
    "The passphrase is wrong.",
    "Start with the passphrase or key file with which this was sealed.",
  ),
  CertificateInvalid: refusal(
    500,
    "The certificate cannot be used.",
    "Use the certificate, key and authority that were made for this member.",
  ),
  StoreLocked: outage(
    503,
    "Another process holds the store.",
    "Stop the other process; one signer, one store.",
  ),
  StoreUnusable: outage(
    503,
    "The disk of the store refuses what the store needs.",
    "Free space on the disk or mend it, then start again; the store itself needs nothing.",
  ),
  StoreNewer: refusal(
    500,
    "A newer version of Conclave has written the store.",
    "Run that version, or a newer one.",
  ),
  StoreDamaged: refusal(
    500,
    "A sealed record is damaged.",
    "Restore the store from a backup of this signer.",
  ),
  StoreAltered: refusal(
    500,
    "Another than this signer changed its store.",
    "Take the folder of the store away, and keep it for an examination. Once no transfer is under way, give the signer new shares: conclave reprovision.",
  ),
  StoreOfAnother: refusal(
    500,
    "The store belongs to another identity.",
    "Restore the store's own identity.key and roster, or take the store away and give the signer new shares: conclave reprovision.",
  ),
  PeerFault: {
    kind: "fault",
    status: 503,
    message: "A signer deviated from the protocol.",
    remedy: "Read the evidence with conclave faults, and find out who runs the signer that it names.",
  },
  Internal: {
    kind: "internal",
    status: 500,
    message: "Internal Server Error",
    remedy: "Report it with the error id.",
  },
} as const;
