import type { Polynomial } from "../sharing/polynomial.ts";
import type { DealingOpening } from "./messages.ts";

/** The polynomial of a dealer, and the opening of its commitment. */
export interface Dealing<P> {
  /** g_i */
  readonly polynomial: Polynomial;
  readonly opening: DealingOpening<P>;
}

/** The secrets of one party during a redistribution. */
export interface OwnPart<P> {
  /** the value that dealt shares are added to: x_i in a refresh, else 0 */
  readonly kept: bigint;
  /** undefined when we only receive */
  readonly dealing: Dealing<P> | undefined;
}
