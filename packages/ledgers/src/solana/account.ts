import type { AgaveAddress } from "./address.ts";

/** The account of an address. An account without lamports does not exist. */
export interface AgaveAccount {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  /** the program that may change the account */
  readonly owner: AgaveAddress;
  readonly executable: boolean;
}

/** The new accounts by address; undefined where an account was deleted. */
export type AgaveAccountChanges = ReadonlyMap<AgaveAddress, AgaveAccount | undefined>;

/** The change in the total size of account data, in bytes. */
export const grownAgaveData = (
  changes: AgaveAccountChanges,
  accountOf: (address: AgaveAddress) => AgaveAccount | undefined,
): number => {
  let grown = 0;
  for (const [address, account] of changes) {
    grown += (account?.data.length ?? 0) - (accountOf(address)?.data.length ?? 0);
  }
  return grown;
};

export const withAgaveChanges = (
  accounts: ReadonlyMap<AgaveAddress, AgaveAccount>,
  changes: AgaveAccountChanges,
): ReadonlyMap<AgaveAddress, AgaveAccount> => {
  if (changes.size === 0) return accounts;
  const changed = new Map(accounts);
  for (const [address, account] of changes) {
    if (account === undefined) changed.delete(address);
    else changed.set(address, account);
  }
  return changed;
};
