import type { PartyIndex } from "@conclave/threshold";
import type { NextRecord, PendingAuxiliaryRecord } from "../records/record.ts";

/** A signer's share of a next epoch, with its receipt. */
export interface PendingShare extends NextRecord {
  readonly from: number;
  /** whether the record has the name that older versions gave it: the key's id alone */
  readonly isOlder: boolean;
  /** the holders of the next epoch */
  readonly holders: readonly PartyIndex[];
  readonly receipt: Uint8Array;
}

/**
 * Auxiliary info that waits for its certificate, with this signer's receipt. The info itself is large, and stays in the
 * store alone.
 */
export interface PendingAuxiliary extends Omit<PendingAuxiliaryRecord, "info"> {
  /** the signers of the session */
  readonly holders: readonly PartyIndex[];
  readonly receipt: Uint8Array;
}
