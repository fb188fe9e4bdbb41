import type { Chance } from "@conclave/chaos";
import { openTable, type Table } from "@conclave/platform";

/** Changes the table of a signer that does not run, without its passphrase: the names of entries are plain. */

/** An entry as it is on the disk. */
export interface StoreEntry {
  readonly name: string;
  readonly value: Uint8Array;
}

/** Plans name a signer's records as the signer does; entries by which the store knows itself have their names in the table. */
const RECORD_NAMES = "record/";
const OWN = /^(?:vault\/|~)/;

/** The entries that a plan means: one by its name, or all that begin like it where it ends in a star. */
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

/** Whether a store has an entry that a plan means. */
export const hasEntry = (folder: string, pattern: string): Promise<boolean> =>
  inTable(folder, async (table) => (await entriesLike(table, pattern)).length > 0);

/** Removes one of the entries that a plan means. @returns which; undefined when there is none */
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

/** Puts an entry back, so that the store is whole again. @returns false when there is one of its name, which stays */
export const putEntryBack = (folder: string, { name, value }: StoreEntry): Promise<boolean> =>
  inTable(folder, async (table) => {
    if ((await table.get(name)) !== undefined) return false;
    await table.put(name, value, { sync: true });
    return true;
  });
