/** One asset that a request moves out of a wallet, or allows another account to move later. */
export interface Movement {
  /** "Native", or the token's contract or id as its network spells it; EVM addresses in lower case */
  readonly asset: string;
  /** smallest unit, as digits; undefined where there is no number, as for a collectible or an operator of all tokens */
  readonly amount: string | undefined;
  /**
   * the receiver, or the account that receives an allowance, since an allowance counts as a payment. EVM
   * addresses in lower case
   */
  readonly recipient: string;
}

/**
 * The effects of a request, which the family's code decodes from all of it. Rules judge the effects and not
 * the form, so that a transfer inside call data counts like a plain one.
 */
export interface Effects {
  readonly movements: readonly Movement[];
  /**
   * why there may be further movements; undefined when the list is complete. If set, rules on amounts and
   * recipients trigger
   */
  readonly unknown: string | undefined;
  /**
   * the largest fee that the caller's fields allow, in the smallest unit of the native coin, as digits. It
   * counts as an amount without a recipient. Undefined where the service sets all fees, which its own cap
   * bounds
   */
  readonly fee?: string | undefined;
}

/** The effects of content that no family can read, such as a bare hash. */
export const opaque = (why: string): Effects => ({ movements: [], unknown: why });

/** The effects of a request that makes exactly these movements. */
export const moves = (...movements: readonly Movement[]): Effects => ({ movements, unknown: undefined });

export const NATIVE_ASSET = "Native";
