import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { type AlgodBooks, accountIn, assetIn, isNoAccount } from "../books.ts";

export interface Room {
  readonly accounts: number;
  readonly assets: number;
  /** assets that one account holds */
  readonly holdings: number;
}

/** Limits that the real network does not have: this ledger keeps everything in memory, and copies it on changes. */
export const ROOM: Room = { accounts: 100_000, assets: 100_000, holdings: 1_000 };

const full = (most: number, what: string): Ruling<never> =>
  refusedWith(`this simulated ledger holds at most ${most} ${what}`);

/** The lowest books, whose size is checked; the pool bounds the overlays. */
const lowest = (books: AlgodBooks): AlgodBooks => (books.below === undefined ? books : lowest(books.below));

/**
 * Whether there is room for the accounts, assets and holdings that a transaction added.
 * @param before the books without the transaction
 * @param after the books with the transaction
 */
export const checkRoom = (before: AlgodBooks, after: AlgodBooks, room: Room): Ruling<undefined> => {
  const { accounts, assets } = lowest(before);
  for (const [address, account] of after.accounts) {
    const isNew = isNoAccount(accountIn(before, address)) && !isNoAccount(account);
    if (isNew && accounts.size >= room.accounts) return full(room.accounts, "accounts");
    if (account.holdings.size > room.holdings) return full(room.holdings, "assets in one account");
  }
  for (const [id, asset] of after.assets) {
    const isNew = assetIn(before, id) === undefined && asset !== "destroyed";
    if (isNew && assets.size >= room.assets) return full(room.assets, "assets");
  }
  return granted(undefined);
};
