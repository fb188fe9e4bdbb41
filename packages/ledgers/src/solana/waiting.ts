import type { AgaveTransaction } from "./wire/transaction.ts";

/** A submitted transaction that no block holds yet. */
export interface AgaveWaiting {
  readonly transaction: AgaveTransaction;
  /** the first height whose block may hold it: an operator can delay it */
  readonly notBefore: number;
}

/** Maximum number of waiting transactions. */
export const MOST_AGAVE_WAITING = 2_000;
