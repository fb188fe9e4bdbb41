import type { Chance } from "@conclave/chaos";
import { openTable, type Table } from "@conclave/platform";

/** Changes the table of a stopped signer without its passphrase, because the names of entries are not encrypted. */

/** An entry in its stored form. */
export interface StoreEntry {
  readonly name: string;
  readonly value: Uint8Array;
}

/** Plans name a signer's records without this prefix; entries that identify the store itself are named as in the table. */
const RECORD_NAMES = "record/";
const OWN = /^(?:vault\/|~)/;

/** The range of entries that a plan's pattern matches: one name, or a prefix if it ends with a star. */
const rangeOf = (pattern: string): { readonly gte: string; readonly lt: string } => {
  const whole = OWN.test(pattern) ? pattern : RECORD_NAMES + pattern;
  const name = whole.replace(/\*$/, "");
  return { gte: name, lt: name === whole ? `${name}\u{0}` : `${name}\u{10ffff}` };
};

const inTable = async <T>(folder: string, work: (table: Table) => Promise<T>): Promise<T> => {
  const table = await openTable(folder);
  if (!table.ok) throw new Error(table.problem.message);
  try {
    return await work(table.value);
  } finally {
    await table.value.close();
  }
};

const entriesLike = async (table: Table, pattern: string): Promise<readonly StoreEntry[]> => {
  const entries: StoreEntry[] = [];
  for await (const [name, value] of table.iterator(rangeOf(pattern))) entries.push({ name, value });
  return entries;
};

/** Whether a store has an entry that matches a plan's pattern. */
export const hasEntry = (folder: string, pattern: string): Promise<boolean> =>
  inTable(folder, async (table) => (await entriesLike(table, pattern)).length > 0);

/** Removes one entry that matches a plan's pattern. @returns the entry; undefined if none matches */
export const removeEntry = (
  folder: string,
  pattern: string,
  chance: Chance,
): Promise<StoreEntry | undefined> =>
  inTable(folder, async (table) => {
    const entries = await entriesLike(table, pattern);
    if (entries.length === 0) return undefined;
    const entry = chance.of(entries);
    await table.del(entry.name, { sync: true });
    return entry;
  });

/** Puts an entry back, which makes the store whole again. @returns false if an entry of its name exists; that one stays */
export const putEntryBack = (folder: string, { name, value }: StoreEntry): Promise<boolean> =>
  inTable(folder, async (table) => {
    if ((await table.get(name)) !== undefined) return false;
    await table.put(name, value, { sync: true });
    return true;
  });
