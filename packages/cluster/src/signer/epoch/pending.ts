import type { PartyIndex } from "@conclave/threshold";
import type { NextRecord, PendingAuxiliaryRecord } from "../records/record.ts";

/** A share of a next epoch as a signer holds it: with the receipt that it gave for it. */
export interface PendingShare extends NextRecord {
  readonly from: number;
  /** whether it lies under the name that older versions gave it: the key's id alone */
  readonly isOlder: boolean;
  /** the signers that the attempt gave a share */
  readonly holders: readonly PartyIndex[];
  readonly receipt: Uint8Array;
}

/**
 * Auxiliary info that waits for its certificate, with the receipt that this signer gave for it. The info is large, and
 * stays in the store alone.
 */
export interface PendingAuxiliary extends Omit<PendingAuxiliaryRecord, "info"> {
  /** the signers of the session */
  readonly holders: readonly PartyIndex[];
  readonly receipt: Uint8Array;
}
