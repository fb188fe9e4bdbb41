import type { RippledFees } from "./fees.ts";

/** The ledger in which a transaction is carried out. */
export interface RippledContext {
  readonly networkId: number;
  readonly fees: RippledFees;
  /** of the ledger that is being made */
  readonly ledgerIndex: number;
  /** an open ledger requires the base fee; a closing ledger accepts everything that the open one accepted */
  readonly isOpen: boolean;
}
