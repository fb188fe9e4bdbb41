import { signEd25519 } from "@conclave/threshold";
import { hexToBytes } from "@noble/hashes/utils.js";
import { type EpochTransition, receiptBytes } from "../../control/epoch-certificate.ts";
import type { PendingEpoch } from "../../control/pending-epoch.ts";
import type { SignerConfig } from "../config.ts";

/** The contents of a record of a pending epoch. */
export type Unsigned = Omit<PendingEpoch, "receipt"> & Pick<EpochTransition, "holders">;

/** The transition that made a pending epoch. */
const transitionOf = (
  subject: string,
  { from, epoch, digest, session, holders }: Unsigned,
): EpochTransition => ({
  holders,
  subject,
  from,
  to: epoch,
  digest,
  session: hexToBytes(session),
});

/**
 * This signer's receipt for what it stored: it leaves only after the store is durable. The same epoch gives the same
 * receipt again after a restart.
 */
export const receiptFor = (
  { roster, self, secrets }: Pick<SignerConfig, "roster" | "self" | "secrets">,
  subject: string,
  pending: Unsigned,
): Uint8Array =>
  signEd25519(receiptBytes(roster, self, transitionOf(subject, pending)), secrets.reveal().identity);
