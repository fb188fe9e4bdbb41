import type { RippledFees } from "./fees.ts";

/** Where a transaction is to be carried out. */
export interface RippledContext {
  readonly networkId: number;
  readonly fees: RippledFees;
  /** of the ledger that is being made */
  readonly ledgerIndex: number;
  /** an open ledger asks for the base fee; one that is being closed takes what the open one took */
  readonly isOpen: boolean;
}
