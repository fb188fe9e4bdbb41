import { bytesToHex } from "@noble/hashes/utils.js";
import type { HorizonAddress } from "./address.ts";
import type { HorizonCredit } from "./xdr/asset.ts";
import { encodeXdr } from "./xdr/codec.ts";
import type { HorizonAccount, HorizonEntry, HorizonEntryData, HorizonTrustLine } from "./xdr/ledger-entry.ts";
import { type HorizonKey, xdrLedgerKey } from "./xdr/ledger-key.ts";
import type { HorizonChanges } from "./xdr/meta.ts";

interface Kept {
  readonly key: HorizonKey;
  /** undefined if it was deleted */
  readonly entry: HorizonEntry | undefined;
}

/**
 * The ledger's entries. Books may be an overlay: an entry that they lack is looked up in the books below, so that a
 * transaction can be tried without a full copy.
 */
export interface HorizonBooks {
  readonly below: HorizonBooks | undefined;
  /** the sequence number of the ledger that is being made */
  readonly ledger: number;
  /** by the key's XDR in hexadecimal */
  readonly entries: ReadonlyMap<string, Kept>;
}

const nameOf = (key: HorizonKey): string => bytesToHex(encodeXdr(xdrLedgerKey, key));

/** The key of a ledger entry. */
const keyOfEntry = (data: HorizonEntryData): HorizonKey => {
  switch (data.type) {
    case "account":
      return { type: "account", value: { account: data.value.address } };
    case "trustLine":
      return { type: "trustLine", value: { account: data.value.account, asset: data.value.asset } };
    case "data":
      return { type: "data", value: { account: data.value.account, name: data.value.name } };
    case "contractData": {
      const { contract, key, durability } = data.value;
      return { type: "contractData", value: { contract, key, durability } };
    }
  }
};

const keptUnder = (books: HorizonBooks | undefined, name: string): HorizonEntry | undefined => {
  for (let at = books; at !== undefined; at = at.below) {
    const kept = at.entries.get(name);
    if (kept !== undefined) return kept.entry;
  }
  return undefined;
};

export const stellarEntryIn = (books: HorizonBooks, key: HorizonKey): HorizonEntry | undefined =>
  keptUnder(books, nameOf(key));

const withKept = (books: HorizonBooks, kept: Kept): HorizonBooks => ({
  ...books,
  entries: new Map(books.entries).set(nameOf(kept.key), kept),
});

export const withStellarEntry = (books: HorizonBooks, data: HorizonEntryData): HorizonBooks =>
  withKept(books, { key: keyOfEntry(data), entry: { modifiedIn: books.ledger, data } });

export const withoutStellarEntry = (books: HorizonBooks, key: HorizonKey): HorizonBooks =>
  withKept(books, { key, entry: undefined });

export const accountEntry = (books: HorizonBooks, account: HorizonAddress): HorizonAccount | undefined => {
  const data = stellarEntryIn(books, { type: "account", value: { account } })?.data;
  return data?.type === "account" ? data.value : undefined;
};

export const withAccountEntry = (books: HorizonBooks, value: HorizonAccount): HorizonBooks =>
  withStellarEntry(books, { type: "account", value });

export const trustLineIn = (
  books: HorizonBooks,
  account: HorizonAddress,
  asset: HorizonCredit,
): HorizonTrustLine | undefined => {
  const data = stellarEntryIn(books, { type: "trustLine", value: { account, asset } })?.data;
  return data?.type === "trustLine" ? data.value : undefined;
};

export const withTrustLine = (books: HorizonBooks, value: HorizonTrustLine): HorizonBooks =>
  withStellarEntry(books, { type: "trustLine", value });

/** An empty overlay over these books. */
export const layeredUpon = (below: HorizonBooks, ledger = below.ledger): HorizonBooks => ({
  below,
  ledger,
  entries: new Map(),
});

/** Merges an overlay into the books below it. The lowest books drop deleted entries. */
export const flattened = (books: HorizonBooks): HorizonBooks => {
  const { below } = books;
  if (below === undefined) return books;
  const entries = new Map([...below.entries, ...books.entries]);
  if (below.below === undefined) {
    for (const [name, { entry }] of books.entries) if (entry === undefined) entries.delete(name);
  }
  return { below: below.below, ledger: books.ledger, entries };
};

/** Maximum number of ledger entries: accounts, trustlines, data and contract data. */
const MOST_ENTRIES = 200_000;

/** Whether there is room for more entries. An entry counts once per overlay that changed it. */
export const hasRoom = (books: HorizonBooks): boolean => {
  let count = 0;
  for (let at: HorizonBooks | undefined = books; at !== undefined; at = at.below) count += at.entries.size;
  return count < MOST_ENTRIES;
};

/** The changes of an overlay against the books below, entry by entry. */
export const changesIn = (books: HorizonBooks): HorizonChanges =>
  [...books.entries].flatMap(([name, { key, entry }]): HorizonChanges => {
    const before = keptUnder(books.below, name);
    const state = before === undefined ? [] : [{ type: "state" as const, value: written(before) }];
    if (entry === undefined) return before === undefined ? [] : [...state, { type: "removed", value: key }];
    const type = before === undefined ? "created" : "updated";
    return [...state, { type, value: written(entry) }];
  });

const written = (entry: HorizonEntry) => ({ ...entry, extension: undefined });

/** All entries, in the order of their creation. Only for flattened books. */
export const stellarEntriesIn = (books: HorizonBooks): readonly HorizonEntry[] =>
  [...books.entries.values()].flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
