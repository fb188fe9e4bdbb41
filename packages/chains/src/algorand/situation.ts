import type { FeeRates } from "./fee.ts";

/** The balance of an account in the native coin, in microalgos. */
export interface AlgorandAccount {
  readonly balance: bigint;
  /** the minimum balance; each asset that the account opts in to raises it */
  readonly least: bigint;
  /** the address whose key signs for the account after a rekey; undefined if it is the account's own */
  readonly authority: string | undefined;
}

/** The holding of an account in an asset. */
export interface AssetHolding {
  readonly amount: bigint;
  readonly isFrozen: boolean;
}

/** The chain's state at one moment, from which an Algorand transaction is built. */
export interface AlgorandSituation {
  readonly genesisId: string;
  /** base64 */
  readonly genesisHash: string;
  /** the node's latest round */
  readonly lastRound: bigint;
  readonly fees: FeeRates;
  readonly sender: AlgorandAccount;
  readonly recipient: AlgorandAccount;
  /** undefined when the transfer moves no asset */
  readonly asset:
    | {
        /** whether the asset exists */
        readonly isThere: boolean;
        /** undefined: the sender has not opted in */
        readonly ofSender: AssetHolding | undefined;
        readonly ofRecipient: AssetHolding | undefined;
      }
    | undefined;
}
