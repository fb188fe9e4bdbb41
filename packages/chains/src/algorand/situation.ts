import type { FeeRates } from "./fee.ts";

/** The balance of an account in the native coin, in microalgos. */
export interface AlgorandAccount {
  readonly balance: bigint;
  /** the least balance; more with each asset that it opts in to */
  readonly least: bigint;
  /** the address whose key signs for it, where that is not its own (rekey) */
  readonly authority: string | undefined;
}

/** The holding of an account in an asset. */
export interface AssetHolding {
  readonly amount: bigint;
  readonly isFrozen: boolean;
}

/** All that an Algorand transaction is built from, of one moment. */
export interface AlgorandSituation {
  readonly genesisId: string;
  /** base64 */
  readonly genesisHash: string;
  /** the last round that the node has */
  readonly lastRound: bigint;
  readonly fees: FeeRates;
  readonly sender: AlgorandAccount;
  readonly recipient: AlgorandAccount;
  /** undefined when no asset moves */
  readonly asset:
    | {
        /** whether there is such an asset */
        readonly isThere: boolean;
        /** undefined: the account has not opted in to it */
        readonly ofSender: AssetHolding | undefined;
        readonly ofRecipient: AssetHolding | undefined;
      }
    | undefined;
}
