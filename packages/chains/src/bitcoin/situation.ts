import type { BitcoinCoin, Unspent } from "./coins/coin.ts";
import type { FeeFloor } from "./coins/fees.ts";

/** All that a Bitcoin transaction is built from, of one moment. */
export interface BitcoinSituation {
  /** of the last block */
  readonly height: bigint;
  /** of the last eleven blocks, Unix seconds: lock times are measured by it (BIP-113) */
  readonly medianTime: bigint;
  /** satoshis a thousand virtual bytes, for the priority that is wanted */
  readonly rate: bigint;
  readonly floor: FeeFloor;
  /** coins in blocks that no other transaction spends, as far as they are looked at: the largest, or those of a PSBT */
  readonly coins: readonly BitcoinCoin[];
  /** satoshis of coins that were worth a look, and that the pool spends by a transaction that is not among the wallet's live ones */
  readonly inPool: bigint;
  /** all coins of the wallet in blocks; none when bytes that are there already are looked at */
  readonly unspent: readonly Unspent[];
  /** satoshis: what the pool's descendants of the transaction that is replaced pay, and itself; zero when it is not there */
  readonly replacedWithDescendants: bigint;
}
