import type { HorizonAccount } from "../xdr/ledger-entry.ts";

/** An account itself counts as two entries. */
const ENTRIES_OF_AN_ACCOUNT = 2n;
const MOST_SUBENTRIES = 1_000;

/** The most that an account or a trustline can hold: 2^63 - 1. */
export const MOST_STROOPS = 2n ** 63n - 1n;

/** The minimum balance of an account. @param baseReserve stroops for each entry */
export const reserveOf = ({ subentries }: { readonly subentries: number }, baseReserve: bigint): bigint =>
  (ENTRIES_OF_AN_ACCOUNT + BigInt(subentries)) * baseReserve;

/** The spendable balance of an account. */
export const spendable = (account: HorizonAccount, baseReserve: bigint): bigint =>
  account.balance - reserveOf(account, baseReserve);

/**
 * Adds a subentry to an account.
 * @returns the account, or why it cannot have one more
 * @source stellar-core, SponsorshipUtils.cpp: createEntryWithPossibleSponsorship
 */
export const withSubentry = (
  account: HorizonAccount,
  baseReserve: bigint,
): HorizonAccount | "op_low_reserve" | "op_too_many_subentries" => {
  if (account.subentries >= MOST_SUBENTRIES) return "op_too_many_subentries";
  const grown = { ...account, subentries: account.subentries + 1 };
  return account.balance < reserveOf(grown, baseReserve) ? "op_low_reserve" : grown;
};

export const withoutSubentry = (account: HorizonAccount): HorizonAccount => ({
  ...account,
  subentries: account.subentries - 1,
});
