import type { AlgodAddress } from "./address.ts";
import type { AlgodAssetParameters } from "./transaction/transaction.ts";

export interface AlgodHolding {
  readonly amount: bigint;
  readonly frozen: boolean;
}

export interface AlgodAccount {
  /** microalgos */
  readonly balance: bigint;
  /** the address whose key signs for the account, if it was rekeyed */
  readonly authorizedBy: AlgodAddress | undefined;
  /** by asset id */
  readonly holdings: ReadonlyMap<bigint, AlgodHolding>;
  readonly createdAssets: readonly bigint[];
}

export interface AlgodAsset {
  readonly creator: AlgodAddress;
  readonly parameters: AlgodAssetParameters;
}

/**
 * All accounts and assets. Books may be an overlay: an entry that they lack is looked up in the books below, so that a
 * group of transactions can be tried without a full copy. An overlay keeps closed accounts and destroyed assets as such.
 */
export interface AlgodBooks {
  readonly below: AlgodBooks | undefined;
  readonly accounts: ReadonlyMap<AlgodAddress, AlgodAccount>;
  readonly assets: ReadonlyMap<bigint, AlgodAsset | "destroyed">;
  /** number of transactions ever carried out, plus 1000; an asset's id is this number at its creation, plus one */
  readonly transactionCount: bigint;
}

export const NO_ACCOUNT: AlgodAccount = {
  balance: 0n,
  authorizedBy: undefined,
  holdings: new Map(),
  createdAssets: [],
};

/** Whether an account is empty in all respects, so that it can be forgotten. */
export const isNoAccount = ({ balance, authorizedBy, holdings, createdAssets }: AlgodAccount): boolean =>
  balance === 0n && authorizedBy === undefined && holdings.size === 0 && createdAssets.length === 0;

export const accountIn = (books: AlgodBooks, address: AlgodAddress): AlgodAccount => {
  for (let at: AlgodBooks | undefined = books; at !== undefined; at = at.below) {
    const found = at.accounts.get(address);
    if (found !== undefined) return found;
  }
  return NO_ACCOUNT;
};

/** @returns undefined if the asset never existed, or was destroyed */
export const assetIn = (books: AlgodBooks, id: bigint): AlgodAsset | undefined => {
  for (let at: AlgodBooks | undefined = books; at !== undefined; at = at.below) {
    const found = at.assets.get(id);
    if (found !== undefined) return found === "destroyed" ? undefined : found;
  }
  return undefined;
};

export const withAccount = (
  books: AlgodBooks,
  address: AlgodAddress,
  change: Partial<AlgodAccount>,
): AlgodBooks => ({
  ...books,
  accounts: new Map(books.accounts).set(address, { ...accountIn(books, address), ...change }),
});

export const withHolding = (
  books: AlgodBooks,
  address: AlgodAddress,
  assetId: bigint,
  holding: AlgodHolding | undefined,
): AlgodBooks => {
  const holdings = new Map(accountIn(books, address).holdings);
  if (holding === undefined) holdings.delete(assetId);
  else holdings.set(assetId, holding);
  return withAccount(books, address, { holdings });
};

export const withAsset = (books: AlgodBooks, id: bigint, asset: AlgodAsset | "destroyed"): AlgodBooks => ({
  ...books,
  assets: new Map(books.assets).set(id, asset),
});

/** An empty overlay over these books. */
export const laidUpon = (below: AlgodBooks): AlgodBooks => ({
  below,
  accounts: new Map(),
  assets: new Map(),
  transactionCount: below.transactionCount,
});

/** Merges an overlay into the books below it. The lowest books drop closed accounts and destroyed assets. */
export const settled = (books: AlgodBooks): AlgodBooks => {
  const { below } = books;
  if (below === undefined) return books;
  if (books.accounts.size === 0 && books.assets.size === 0) {
    return { ...below, transactionCount: books.transactionCount };
  }
  const accounts = new Map([...below.accounts, ...books.accounts]);
  const assets = new Map([...below.assets, ...books.assets]);
  if (below.below === undefined) {
    for (const [address, account] of books.accounts) if (isNoAccount(account)) accounts.delete(address);
    for (const [id, asset] of books.assets) if (asset === "destroyed") assets.delete(id);
  }
  return { below: below.below, accounts, assets, transactionCount: books.transactionCount };
};
