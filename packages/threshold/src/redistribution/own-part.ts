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
  /** the value to which dealt shares are added: x_i in a refresh, otherwise 0 */
  readonly kept: bigint;
  /** undefined when this party only receives */
  readonly dealing: Dealing<P> | undefined;
}
