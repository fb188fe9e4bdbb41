import type { RippledAddress } from "./address.ts";

/**
 * An account's entry in the ledger. @source
 * https://xrpl.org/docs/references/protocol/ledger-data/ledger-entry-types/accountroot
 */
export interface RippledAccount {
  /** drops */
  readonly balance: bigint;
  /** of its next transaction without a ticket */
  readonly sequence: number;
  readonly flags: number;
  /** sequence numbers set aside; each counts as an object that the account owns */
  readonly tickets: readonly number[];
  readonly regularKey: RippledAddress | undefined;
  /** upper-case hex, as are the next two */
  readonly domain: string | undefined;
  readonly emailHash: string | undefined;
  readonly messageKey: string | undefined;
  /** of the account's latest transaction, if the account has this tracking enabled */
  readonly accountTxnId: string | undefined;
  /** the latest transaction that changed the entry, and its ledger */
  readonly previousTxnId: string;
  readonly previousTxnLedger: number;
}

/** Flags of an account. @source rippled, include/xrpl/protocol/LedgerFormats.h */
export const RIPPLED_ACCOUNT_FLAGS = {
  requireDestTag: 0x0002_0000,
  requireAuth: 0x0004_0000,
  disallowXrp: 0x0008_0000,
  disableMaster: 0x0010_0000,
  noFreeze: 0x0020_0000,
  globalFreeze: 0x0040_0000,
  defaultRipple: 0x0080_0000,
  depositAuth: 0x0100_0000,
} as const;

export const hasAccountFlag = (
  { flags }: RippledAccount,
  flag: keyof typeof RIPPLED_ACCOUNT_FLAGS,
): boolean => (flags & RIPPLED_ACCOUNT_FLAGS[flag]) !== 0;

export const ownerCountOf = ({ tickets }: RippledAccount): number => tickets.length;

/**
 * All accounts. Books may be an overlay: an entry that they lack is looked up in the books below, so that a transaction
 * can be tried without a full copy. Accounts are never deleted here.
 */
export interface RippledBooks {
  readonly below: RippledBooks | undefined;
  readonly accounts: ReadonlyMap<RippledAddress, RippledAccount>;
  /** all existing drops; fees are burnt */
  readonly totalDrops: bigint;
  readonly accountCount: number;
}

export const rippledAccountIn = (
  books: RippledBooks,
  address: RippledAddress,
): RippledAccount | undefined => {
  for (let at: RippledBooks | undefined = books; at !== undefined; at = at.below) {
    const found = at.accounts.get(address);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const withRippledAccount = (
  books: RippledBooks,
  address: RippledAddress,
  account: RippledAccount,
): RippledBooks => ({
  ...books,
  accounts: new Map(books.accounts).set(address, account),
  accountCount: books.accountCount + (rippledAccountIn(books, address) === undefined ? 1 : 0),
});

/** An empty overlay over these books. */
export const rippledBooksUpon = (below: RippledBooks): RippledBooks => ({
  ...below,
  below,
  accounts: new Map(),
});

/** Merges an overlay into the books below it. */
export const mergedRippledBooks = (books: RippledBooks): RippledBooks => {
  const { below, accounts } = books;
  if (below === undefined) return books;
  return accounts.size === 0
    ? { ...below, totalDrops: books.totalDrops }
    : { ...books, below: below.below, accounts: new Map([...below.accounts, ...accounts]) };
};
