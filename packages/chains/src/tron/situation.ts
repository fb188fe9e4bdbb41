/** The chain's prices, in sun, and its limits, as its committee last set them (getchainparameters). */
export interface TronPrices {
  /** per byte */
  readonly bandwidth: bigint;
  readonly energy: bigint;
  /** for an account that a payment creates, and for the bandwidth of its creation */
  readonly newAccount: bigint;
  readonly newAccountBandwidth: bigint;
  /** the highest fee_limit that the chain accepts */
  readonly feeLimitMax: bigint;
  /** whether TRX and TRC-10 tokens can be paid to a contract without a call of it */
  readonly paysContracts: boolean;
}

/** The sender's balance and resources. */
export interface TronSender {
  /** sun */
  readonly balance: bigint;
  /** bytes that it may send without burning TRX: from the daily free quota, and from its stake */
  readonly freeBandwidth: bigint;
  readonly stakedBandwidth: bigint;
  /** energy from its own stake, or delegated to it */
  readonly energy: bigint;
  /** whether the wallet's key alone signs for it; the account's permissions may name other keys */
  readonly isOwn: boolean;
}

/** The chain's data of the receiver. */
export interface TronRecipient {
  /** a payment to a missing account creates it, for a fee */
  readonly exists: boolean;
  readonly isContract: boolean;
}

/** The outcome of a simulated call. */
export type TriedCall =
  /** @param energy that it used */
  | { readonly kind: "passed"; readonly energy: bigint }
  /** the chain refuses it; the reason in words */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "no contract" };

/** The chain's state at one moment, from which a TRON transaction is built. */
export interface TronSituation {
  /** the id of the node's block 0, lower-case hex */
  readonly genesisBlock: string;
  /** the last block that nothing can undo */
  readonly solid: { readonly height: bigint; readonly id: string };
  /** Unix milliseconds: time of the node's last block */
  readonly headTimeMs: bigint;
  readonly prices: TronPrices;
  readonly sender: TronSender;
  readonly recipient: TronRecipient;
  /**
   * the sender's balance in the moved token, in its smallest unit, or 1 for an owned non-fungible token; undefined when TRX
   * moves
   */
  readonly held: bigint | undefined;
  /** undefined without a contract call */
  readonly call: TriedCall | undefined;
}
