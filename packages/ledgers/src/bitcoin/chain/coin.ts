import type { BitcoindOutput } from "../transaction/transaction.ts";

/** An output that can be spent. */
export interface BitcoindCoin extends BitcoindOutput {
  /** of the block that holds it */
  readonly height: number;
  /** the reward of a block: it has to lie for a hundred blocks */
  readonly isReward: boolean;
  /** median time past of the block before the one that holds it: relative locks by time count from there */
  readonly timeBefore: number;
}
