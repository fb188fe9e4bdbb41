import { ok } from "@conclave/custody";
import { DISK, type Disk } from "../../vault/disk.ts";
import { groupKeysIn } from "../../vault/group-keys.ts";
import { openTable } from "../../vault/level-table.ts";
import type { OpenStore } from "../../vault/store.ts";
import type { Table } from "../../vault/table.ts";
import { readingFaultOrders } from "./orders.ts";

/** An error in the form of Node's. */
const failure = (code: "ENOSPC" | "EIO", words: string): Error =>
  Object.assign(new Error(`${code}: ${words}`), { code });

/** Makes writes fail as the orders say. Each write states whether it must be durable. */
const judging = (folder: string) => {
  const orders = readingFaultOrders(folder);
  return async (write: () => Promise<void>, isSynced: boolean): Promise<void> => {
    const { disk } = orders();
    if (disk === "full") throw failure("ENOSPC", "no space left on device, write");
    await write();
    // after a restart the data may be there or not; no error says which
    if (disk === "unsynced" && isSynced) throw failure("EIO", "i/o error, fsync");
  };
};

/**
 * A table on a disk that fails as the orders say: a full disk takes no write; an unsynced one takes writes, but fails
 * to make them durable. Reads are unchanged.
 *
 * @param folder of the orders
 */
const failingTable = (table: Table, folder: string): Table => {
  const judge = judging(folder);
  return {
    get: (name) => table.get(name),
    getSync: (name) => table.getSync(name),
    put: (name, value, { sync }) => judge(() => table.put(name, value, { sync }), sync),
    del: (name, { sync }) => judge(() => table.del(name, { sync }), sync),
    batch: (changes, { sync }) => judge(() => table.batch(changes, { sync }), sync),
    iterator: (range) => table.iterator(range),
    close: () => table.close(),
  };
};

/** As `failingTable`, for the files next to the table. */
const failingDisk = (disk: Disk, folder: string): Disk => {
  const judge = judging(folder);
  return {
    ...disk,
    write: (path, text) => judge(() => disk.write(path, text), true),
    blank: (path) => judge(() => disk.blank(path), true),
    link: (path, second) => judge(() => disk.link(path, second), false),
    rename: (from, to) => judge(() => disk.rename(from, to), false),
    syncFolder: (path) => judge(() => disk.syncFolder(path), true),
  };
};

/** Opens stores on a disk that fails as the orders in a folder say. */
export const openFailingStore =
  (faults: string): OpenStore =>
  async (folder) => {
    const table = await openTable(folder);
    if (!table.ok) return table;
    const groupKeys = groupKeysIn(folder, failingDisk(DISK, faults));
    return ok({ table: failingTable(table.value, faults), groupKeys });
  };
