/** One thing that a request moves out of a wallet, or lets somebody move out of it later. */
export interface Movement {
  /** "Native", or the token's contract or id as its network spells it; EVM addresses in lower case */
  readonly asset: string;
  /** smallest unit, as digits; undefined where no number tells, as for a collectible or an operator of everything */
  readonly amount: string | undefined;
  /**
   * the receiver, or the account that may take it: an allowance is as good as a payment. EVM addresses in
   * lower case
   */
  readonly recipient: string;
}

/**
 * The effects of a request, decoded from all of it by the family's code. Rules judge this and not the request's
 * form, so that a transfer hidden in call data counts like one that was asked for by name.
 */
export interface Effects {
  readonly movements: readonly Movement[];
  /** why there may be more than these movements; undefined when they are all. Rules on amounts and recipients then trigger */
  readonly unknown: string | undefined;
  /**
   * the most that the caller can make it cost in fees, in the smallest unit of the native coin, as digits. It counts in
   * amounts, and has no recipient. Undefined where the caller leaves all fees to the service, whose own cap bounds them
   */
  readonly fee?: string | undefined;
}

/** The effects of what nobody can read, such as a bare hash. */
export const opaque = (why: string): Effects => ({ movements: [], unknown: why });

/** The effects of a request that moves exactly this. */
export const moves = (...movements: readonly Movement[]): Effects => ({ movements, unknown: undefined });

export const NATIVE_ASSET = "Native";
