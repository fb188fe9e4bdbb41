import type { AgaveTransaction } from "./wire/transaction.ts";

/** A transaction that was sent and is in no block yet. */
export interface AgaveWaiting {
  readonly transaction: AgaveTransaction;
  /** the first block that may hold it: an operator can delay it */
  readonly notBefore: number;
}

/** Transactions that wait at a time. */
export const MOST_AGAVE_WAITING = 2_000;
