import type { BitcoindOutput } from "../transaction/transaction.ts";

/** An output that can be spent. */
export interface BitcoindCoin extends BitcoindOutput {
  /** of the block that holds it */
  readonly height: number;
  /** an output of a coinbase, which cannot be spent for a hundred blocks */
  readonly isReward: boolean;
  /** median time past of the block before the one that holds it: relative locks by time count from this */
  readonly timeBefore: number;
}
