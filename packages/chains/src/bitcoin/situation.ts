import type { BitcoinCoin, Unspent } from "./coins/coin.ts";
import type { FeeFloor } from "./coins/fees.ts";

/** The chain's state at one moment, from which a Bitcoin transaction is built. */
export interface BitcoinSituation {
  /** height of the last block */
  readonly height: bigint;
  /** median time of the last eleven blocks, Unix seconds: lock times are compared with it (BIP-113) */
  readonly medianTime: bigint;
  /** satoshis a thousand virtual bytes, for the wanted priority */
  readonly rate: bigint;
  readonly floor: FeeFloor;
  /** the examined coins in blocks that no other transaction spends: the largest of the wallet, or those of a PSBT */
  readonly coins: readonly BitcoinCoin[];
  /** satoshis of examined coins that transactions in the pool spend, other than the wallet's own live ones */
  readonly inPool: bigint;
  /** all coins of the wallet in blocks; empty when the caller gave the bytes */
  readonly unspent: readonly Unspent[];
  /** satoshis: the fees of the replaced transaction and of its descendants in the pool; zero when it is not in the pool */
  readonly replacedWithDescendants: bigint;
}
