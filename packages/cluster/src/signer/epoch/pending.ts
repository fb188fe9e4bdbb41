import type { NextRecord, PendingAuxiliaryRecord } from "../records/record.ts";

/** A share of a next epoch as a signer holds it: with the receipt that it gave for it. */
export interface PendingShare extends NextRecord {
  readonly from: number;
  /** whether it lies under the name that older versions gave it: the key's id alone */
  readonly isOlder: boolean;
  readonly receipt: Uint8Array;
}

/**
 * Auxiliary info that waits for its certificate, with the receipt that this signer gave for it. The info is large, and
 * stays in the store alone.
 */
export interface PendingAuxiliary extends Omit<PendingAuxiliaryRecord, "info"> {
  readonly receipt: Uint8Array;
}
