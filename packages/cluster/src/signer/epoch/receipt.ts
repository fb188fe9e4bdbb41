import { signEd25519 } from "@conclave/threshold";
import { hexToBytes } from "@noble/hashes/utils.js";
import { type EpochTransition, receiptBytes } from "../../control/epoch-certificate.ts";
import type { PendingEpoch } from "../../control/pending-epoch.ts";
import type { SignerConfig } from "../config.ts";

/** The contents of a record of a pending epoch. */
export type Unsigned = Omit<PendingEpoch, "receipt"> & Pick<EpochTransition, "holders">;

/** The transition that a pending epoch is the result of. */
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
 * This signer's receipt for a pending epoch; sent only once the store is durable. After a restart the same epoch gives
 * the same receipt.
 */
export const receiptFor = (
  { roster, self, secrets }: Pick<SignerConfig, "roster" | "self" | "secrets">,
  subject: string,
  pending: Unsigned,
): Uint8Array =>
  signEd25519(receiptBytes(roster, self, transitionOf(subject, pending)), secrets.reveal().identity);
