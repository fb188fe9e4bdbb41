import type { Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { MemoryLevel } from "memory-level";
import { describe, expect, test } from "vitest";
import { leaveOlderStore } from "../testing/older-store.ts";
import type { Disk } from "./disk.ts";
import { groupKeysIn } from "./group-keys.ts";
import { memoryDisk } from "./memory-disk.ts";
import { fileOfRecord } from "./own-key-files.ts";
import type { Table } from "./table.ts";
import { Vault, type VaultBatch } from "./vault.ts";

const keyFile = new Secret("5a".repeat(32));
const FOLDER = "/";
const KEYS = 1_000;
const SYNCED = { sync: true } as const;

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};
const bytes = (text: string): Secret<Uint8Array> => new Secret(new Uint8Array(Buffer.from(text)));
const memory = (): Table =>
  new MemoryLevel<string, Uint8Array>({ keyEncoding: "utf8", valueEncoding: "view" });
const nameOf = (record: string): string =>
  `${FOLDER}group-keys-${fileOfRecord(record).toString(16).padStart(2, "0")}.json`;

const putting = (records: readonly string[], text = "share"): VaultBatch => ({
  puts: records.map((record) => ({ record, value: bytes(text) })),
  erases: [],
  sync: true,
});
const textOf = async (vault: Vault, record: string): Promise<string | undefined> => {
  const value = must(await vault.get(record));
  return value && Buffer.from(value.reveal()).toString();
};

/** A table that counts reads of entries, without the leaves. */
const counting = (table: Table) => {
  const counts = { rows: 0, gets: 0 };
  const counted: Table = {
    get: (name) => table.get(name),
    getSync: (name) => {
      counts.gets += 1;
      return table.getSync(name);
    },
    put: (name, value, options) => table.put(name, value, options),
    del: (name, options) => table.del(name, options),
    batch: (changes, options) => table.batch(changes, options),
    iterator: async function* (range) {
      for await (const row of table.iterator(range)) {
        if (!row[0].startsWith("~")) counts.rows += 1; // the number of leaves does not depend on the number of entries
        yield row;
      }
    },
    close: () => table.close(),
  };
  return { counts, table: counted };
};

const names = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `key/${from + at}`);
/** Two records whose keys are in one file. */
const neighbours = (): readonly [string, string] => {
  const other = names(1, 10_000).find((name) => fileOfRecord(name) === fileOfRecord("key/0"));
  return ["key/0", other ?? expect.fail("there are 256 files")];
};

const opened = async (table: Table, disk: Disk) => Vault.open(table, keyFile, groupKeysIn(FOLDER, disk));
const keysOn = (disk: Disk) => groupKeysIn(FOLDER, disk).read();

/** Makes the store that of an earlier version: no stamps in files or table. */
const asOlder = async (table: Table, disk: Disk, records: readonly string[]): Promise<void> => {
  for (const name of new Set(records.map(nameOf))) {
    const { keys } = JSON.parse(disk.readNow(name) ?? expect.fail("the file is there"));
    await disk.write(name, JSON.stringify(keys));
  }
  for await (const [entry] of table.iterator({ gte: "vault/1/own-stamp", lt: "vault/1/own-stampee" })) {
    await table.del(entry, SYNCED);
  }
  await leaveOlderStore(table, keyFile);
};

describe("a start with many keys", () => {
  test("reads no record, no record's group and no key: what it reads does not grow with them", async () => {
    const [table, disk] = [memory(), memoryDisk()];
    const reads: number[] = [];
    for (const from of [0, KEYS]) {
      await must(await opened(table, disk)).batch(putting(names(from, KEYS)));
      const watched = counting(table);
      must(await opened(watched.table, disk));
      expect(watched.counts.rows).toBe(0);
      reads.push(watched.counts.gets);
    }
    expect(reads[1]).toBe(reads[0]);
  });

  test("finds each record, by one key of its own", async () => {
    const [table, disk] = [memory(), memoryDisk()];
    await must(await opened(table, disk)).batch(putting(names(0, KEYS)));
    const vault = must(await opened(table, disk));
    for (const name of names(0, KEYS)) expect(await textOf(vault, name)).toBe("share");
    expect((await keysOn(disk)).size).toBe(KEYS);
  });
});

describe("a store that a version before wrote", () => {
  const older = async () => {
    const [table, disk] = [memory(), memoryDisk()];
    const records = [...neighbours(), ...names(1, 100)];
    await must(await opened(table, disk)).batch(putting(records));
    await asOlder(table, disk, records);
    return { table, disk, records };
  };

  test("opens unchanged, and its keys are replaced and destroyed like others", async () => {
    const { table, disk, records } = await older();
    const vault = must(await opened(table, disk));
    for (const name of records) expect(await textOf(vault, name)).toBe("share");
    await vault.batch({ ...putting(["key/0"], "share 2"), erases: ["key/1"] });
    const again = must(await opened(table, disk));
    expect([await textOf(again, "key/0"), await textOf(again, "key/1")]).toEqual(["share 2", undefined]);
    expect((await keysOn(disk)).size).toBe(new Set(records).size - 1);
  });

  test("loses keys that no record needs, which a crash of that version left, and no other", async () => {
    const { table, disk, records } = await older();
    await table.del("vault/1/own-member/key/0", SYNCED);
    await table.del("record/key/0", SYNCED);
    const vault = must(await opened(table, disk));
    const left = new Set(records.filter((name) => name !== "key/0"));
    for (const name of left) expect(await textOf(vault, name)).toBe("share");
    expect((await keysOn(disk)).size).toBe(left.size);
  });

  test("is refused when a key is missing, and destroys nothing", async () => {
    const { table, disk } = await older();
    await table.del("vault/1/own-member/key/0", SYNCED);
    await disk.write(nameOf("key/1"), "{}");
    const before = await keysOn(disk);
    const refused = await opened(table, disk);
    expect(refused).toMatchObject({ ok: false, problem: { code: "StoreDamaged" } });
    expect(await keysOn(disk)).toEqual(before);
  });
});

describe("a store that a version before wrote, once this one has opened it", () => {
  const upgraded = async () => {
    const [table, disk] = [memory(), memoryDisk()];
    const records = [...neighbours(), ...names(1, 100)];
    await must(await opened(table, disk)).batch(putting(records));
    await asOlder(table, disk, records);
    const older = disk.readNow(nameOf("key/0")) ?? expect.fail("the file is there");
    must(await opened(table, disk));
    return { table, disk, older };
  };

  test("is refused when a file of keys is lost, though nothing in it was changed since", async () => {
    const { table, disk } = await upgraded();
    await disk.remove(nameOf("key/0"));
    const refused = await opened(table, disk);
    expect(refused).toMatchObject({ ok: false, problem: { code: "StoreDamaged" } });
  });

  test("is refused when a file of keys is an older copy that lacks a key", async () => {
    const { table, disk, older } = await upgraded();
    const keys = Object.entries(JSON.parse(older)).slice(1);
    await disk.write(nameOf("key/0"), JSON.stringify(Object.fromEntries(keys)));
    const refused = await opened(table, disk);
    expect(refused).toMatchObject({ ok: false, problem: { code: "StoreDamaged" } });
  });

  test("loses keys that the previous version left in a file when it ran again in between", async () => {
    const { table, disk, older } = await upgraded();
    const lost = { "own/key/0/0123456789abcdef0123456789abcdef": "AAAA" };
    await disk.write(nameOf("key/0"), JSON.stringify({ ...JSON.parse(older), ...lost }));
    const vault = must(await opened(table, disk));
    expect(await textOf(vault, "key/0")).toBe("share");
    expect([...(await keysOn(disk)).keys()]).not.toContain(Object.keys(lost)[0]);
  });

  test("loses keys that the previous version left in a file that this version never wrote", async () => {
    const [table, disk] = [memory(), memoryDisk()];
    must(await opened(table, disk));
    const left = { "own/key/0/0123456789abcdef0123456789abcdef": "AAAA" };
    await disk.write(nameOf("key/0"), JSON.stringify(left));
    must(await opened(table, disk));
    expect((await keysOn(disk)).size).toBe(0);
  });
});

describe("files of keys and a table of different times", () => {
  test("are refused when one file is older, though keys of others in it were changed since", async () => {
    const [table, disk] = [memory(), memoryDisk()];
    const [one, other] = neighbours();
    const vault = must(await opened(table, disk));
    await vault.batch(putting([one, other]));
    const older = disk.readNow(nameOf(one)) ?? expect.fail("the file is there");
    await vault.batch(putting([other], "share 2"));
    await disk.write(nameOf(one), older);
    const refused = await opened(table, disk);
    expect(refused.ok ? "" : refused.problem.message).toContain(`lack the key of the record ${other}`);
    expect(disk.readNow(nameOf(one))).toBe(older);
  });

  test("open when no key is missing, and what no record needs is destroyed", async () => {
    const [table, disk] = [memory(), memoryDisk()];
    const [one, other] = neighbours();
    const vault = must(await opened(table, disk));
    await vault.batch(putting([one, other]));
    const older = disk.readNow(nameOf(one)) ?? expect.fail("the file is there");
    await vault.batch({ puts: [], erases: [other], sync: true });
    await vault.batch({ puts: [{ record: "spent/1", value: bytes("tombstone") }], erases: [], sync: true });
    await disk.write(nameOf(one), older);
    expect(await textOf(must(await opened(table, disk)), one)).toBe("share");
    expect((await keysOn(disk)).size).toBe(1);
  });
});

test("a write that the table refused leaves no key behind once the next one in its file is done", async () => {
  const [table, disk] = [memory(), memoryDisk()];
  const [one, other] = neighbours();
  let isFull = false;
  const failing: Table = {
    ...counting(table).table,
    batch: (changes, options) => {
      if (isFull) throw new Error("the disk is full");
      return table.batch(changes, options);
    },
  };
  const vault = must(await opened(failing, disk));
  await vault.batch(putting([one]));
  isFull = true;
  await expect(vault.batch(putting([one], "share 2"))).rejects.toThrow("full");
  expect((await keysOn(disk)).size).toBe(2);
  isFull = false;
  const again = must(await opened(failing, disk));
  await again.batch(putting([other]));
  expect((await keysOn(disk)).size).toBe(2);
  expect([await textOf(again, one), await textOf(again, other)]).toEqual(["share", "share"]);
});

test("a record is found while a write lands between two looks at the table, and is what was written", async () => {
  const [table, disk] = [memory(), memoryDisk()];
  let vault: Vault | undefined;
  let landed = new Map<string, Uint8Array>();
  let land = (): void => undefined;
  const racing: Table = {
    ...counting(table).table,
    getSync: (name) => {
      const found = landed.get(name) ?? table.getSync(name);
      if (name === "record/key/0") land();
      return found;
    },
    batch: async (changes, options) => {
      land = () => {
        const puts = changes.flatMap((change) => (change.type === "put" ? [change] : []));
        landed = new Map(puts.map(({ key, value }) => [key, value]));
      };
      const read = vault?.read("key/0");
      if (vault !== undefined) seen.push(Buffer.from(read?.reveal() ?? []).toString());
      land = () => undefined;
      await table.batch(changes, options);
      landed.clear();
    },
  };
  const seen: string[] = [];
  vault = must(await opened(racing, disk));
  await vault.batch(putting(["key/0"], "share 1"));
  await vault.batch(putting(["key/0"], "share 2"));
  expect(seen).toEqual(["", "share 2"]);
});
