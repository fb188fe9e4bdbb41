/** Flags of issuing accounts: trustlines need the issuer's authorisation, the issuer can revoke it, and so on. */
export const ACCOUNT_FLAGS = { required: 1, revocable: 2, immutable: 4, clawback: 8 } as const;
export const ALL_ACCOUNT_FLAGS = 15;

/** Flags of trustlines. */
export const LINE_FLAGS = { authorized: 1, maintainsLiabilities: 2, clawback: 4 } as const;
export const LINE_AUTHORIZATION = 3;
export const ALL_LINE_FLAGS = 7;

export const isLineAuthorized = ({ flags }: { readonly flags: number }): boolean =>
  (flags & LINE_FLAGS.authorized) !== 0;
