/** The chain's prices, in sun, and its limits, as its committee last set it (getchainparameters). */
export interface TronPrices {
  /** a byte */
  readonly bandwidth: bigint;
  readonly energy: bigint;
  /** for an account that a payment makes, and for the bandwidth of making it */
  readonly newAccount: bigint;
  readonly newAccountBandwidth: bigint;
  /** the highest fee_limit that it takes */
  readonly feeLimitMax: bigint;
  /** whether TRX and TRC-10 tokens can be paid to a contract without a call of it */
  readonly paysContracts: boolean;
}

/** The balances of the sender's account, and its resources. */
export interface TronSender {
  /** sun */
  readonly balance: bigint;
  /** bytes that it may send without burning TRX: of the day's free ones, and of those that it staked for */
  readonly freeBandwidth: bigint;
  readonly stakedBandwidth: bigint;
  /** energy that it staked for, or was lent */
  readonly energy: bigint;
  /** whether the wallet's key alone signs for it: its owner may have handed that to others */
  readonly isOwn: boolean;
}

/** The chain's data of the receiver. */
export interface TronRecipient {
  /** an account that does not exist yet is made by a payment, for a fee */
  readonly exists: boolean;
  readonly isContract: boolean;
}

/** The outcome of a call that was tried without sending it. */
export type TriedCall =
  /** @param energy that it took */
  | { readonly kind: "passed"; readonly energy: bigint }
  /** the chain refuses it, in words */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "no contract" };

/** All that a TRON transaction is built from, of one moment. */
export interface TronSituation {
  /** the id of the node's block 0, lower-case hex */
  readonly genesisBlock: string;
  /** the last block that nothing undoes any more */
  readonly solid: { readonly height: bigint; readonly id: string };
  /** Unix milliseconds: of the node's last block */
  readonly headTimeMs: bigint;
  readonly prices: TronPrices;
  readonly sender: TronSender;
  readonly recipient: TronRecipient;
  /**
   * the sender's balance in the moved token, in its smallest unit, or 1 of one of a kind; undefined when TRX
   * moves
   */
  readonly held: bigint | undefined;
  /** undefined when nothing is called */
  readonly call: TriedCall | undefined;
}
