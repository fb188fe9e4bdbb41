import type { Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { MemoryLevel } from "memory-level";
import { describe, expect, test } from "vitest";
import { leaveOlderStore } from "../testing/older-store.ts";
import { memoryGroupKeys } from "./group-keys.ts";
import type { Table } from "./table.ts";
import { Vault } from "./vault.ts";

const keyFile = new Secret("5a".repeat(32));
const LIMIT = 100;

const bytes = (text: string): Secret<Uint8Array> => new Secret(new Uint8Array(Buffer.from(text)));
const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};

/** A table that records the entries that are read in ranges, and which writes are synced. */
const counting = () => {
  const level = new MemoryLevel<string, Uint8Array>({ keyEncoding: "utf8", valueEncoding: "view" });
  const seen = { entries: [] as string[], writes: [] as { readonly size: number; readonly sync: boolean }[] };
  const table: Table = {
    get: (name) => level.get(name),
    getSync: (name) => level.getSync(name),
    put: (name, value) => level.put(name, value),
    del: (name) => level.del(name),
    batch: (changes, { sync }) => {
      seen.writes.push({ size: changes.length, sync });
      return level.batch(changes);
    },
    async *iterator(range) {
      for await (const entry of level.iterator(range)) {
        seen.entries.push(entry[0]);
        yield entry;
      }
    },
    close: () => level.close(),
  };
  return { level, table, seen };
};

const opened = async (table: Table): Promise<Vault> =>
  must(await Vault.open(table, keyFile, memoryGroupKeys()));

/** One record for each deadline, in Unix milliseconds. */
const filled = async (deadlines: readonly number[]) => {
  const { level, table, seen } = counting();
  const vault = await opened(table);
  const puts = deadlines.map((forgetAtMs) => ({
    record: `request/${forgetAtMs}`,
    value: bytes("bound"),
    forgetAtMs,
  }));
  await vault.batch({ puts: [...puts, { record: "key/1", value: bytes("share") }], erases: [], sync: true });
  seen.writes.length = 0;
  return { level, vault, seen };
};

const namesIn = async (vault: Vault): Promise<readonly string[]> =>
  must(await vault.list()).map(({ record }) => record);

describe("records whose deadline has passed", () => {
  test("are removed, the earliest first and so many in the next write; all others stay", async () => {
    const { level, vault, seen } = await filled([1_000, 999, 30, 2_000]);
    expect(await vault.forget(1_000, 2)).toBe(2);
    expect(seen.writes).toEqual([]);
    expect(await namesIn(vault)).toEqual(["key/1", "request/1000", "request/2000"]);
    expect(await vault.forget(1_000, 2)).toBe(1);
    expect(await vault.forget(1_000, 2)).toBe(0);
    expect(await namesIn(vault)).toEqual(["key/1", "request/2000"]);
    expect(seen.writes.map(({ sync }) => sync)).toEqual([true, true]);
    const entries = [];
    for await (const name of level.keys({ gte: "vault/1/deadline/", lt: "vault/1/deadline0" })) {
      entries.push(name);
    }
    expect(entries).toHaveLength(1);
  });

  test("are found without a look at any other record", async () => {
    const { vault, seen } = await filled(Array.from({ length: 300 }, (_, at) => 1_000 + at));
    seen.entries.length = 0;
    expect(await vault.forget(1_001, LIMIT)).toBe(2);
    expect(seen.entries).toHaveLength(2);
  });

  test("stay while a later deadline has taken the place of theirs", async () => {
    const { vault } = await filled([1_000]);
    const moved = { value: bytes("bound anew"), forgetAtMs: 2_000, insteadOfMs: 1_000 };
    await vault.batch({ puts: [{ record: "request/1000", ...moved }], erases: [], sync: true });
    expect(await vault.forget(1_999, LIMIT)).toBe(0);
    expect(await namesIn(vault)).toContain("request/1000");
    expect(await vault.forget(2_000, LIMIT)).toBe(1);
    expect(await namesIn(vault)).toEqual(["key/1"]);
  });

  test.each([true, false])(
    "INV-4 stay when they are written again with a later one meanwhile (forgetting begins first: %s)",
    async (isForgettingFirst) => {
      const { vault } = await filled([1_000]);
      const forget = () => vault.forget(1_500, LIMIT);
      const moved = { value: bytes("bound anew"), forgetAtMs: 2_000, insteadOfMs: 1_000 };
      const bind = () =>
        vault.batch({ puts: [{ record: "request/1000", ...moved }], erases: [], sync: true });
      const both: readonly (() => Promise<unknown>)[] = isForgettingFirst ? [forget, bind] : [bind, forget];
      await Promise.all(both.map((each) => each()));
      expect(Buffer.from(vault.read("request/1000")?.reveal() ?? []).toString()).toBe("bound anew");
      expect(await vault.forget(2_000, LIMIT)).toBe(1);
    },
  );

  test("that an earlier life left are removed in the next", async () => {
    const { table } = counting();
    const before = await opened(table);
    const keys = memoryGroupKeys();
    await before.batch({
      puts: [{ record: "session/1", value: bytes("used"), forgetAtMs: 10 }],
      erases: [],
      sync: true,
    });
    const after = must(await Vault.open(table, keyFile, keys));
    expect(await after.forget(10, LIMIT)).toBe(1);
    expect(await namesIn(after)).toEqual([]);
  });
});

describe("a record that a start does not need", () => {
  test("is not read: of names with these beginnings nothing is looked at", async () => {
    const { vault, seen } = await filled(Array.from({ length: 300 }, (_, at) => at));
    await vault.put("session/1", bytes("used"));
    await vault.put("spending/1", bytes("count"));
    seen.entries.length = 0;
    const listed = must(await vault.listBut(["request/", "session/"]));
    expect(listed.map(({ record }) => record)).toEqual(["key/1", "spending/1"]);
    expect(seen.entries).toEqual(["record/key/1", "record/spending/1"]);
  });

  test("is read at once when it is named, and an altered one is not taken", async () => {
    const { level, vault } = await filled([1_000]);
    expect(vault.read("request/7")).toBeUndefined();
    expect(Buffer.from(vault.read("request/1000")?.reveal() ?? []).toString()).toBe("bound");
    const sealed = (await level.get("record/request/1000")) ?? expect.fail("it is there");
    await level.put("record/request/1000", sealed.with(30, (sealed[30] ?? 0) ^ 1));
    expect(() => vault.read("request/1000")).toThrow("changed the store");
  });
});

describe("a store of an older version", () => {
  test("says that it lists no deadlines, until they are all listed", async () => {
    const { level, table } = counting();
    const fresh = await opened(table);
    expect(await fresh.isListed()).toBe(true);
    await leaveOlderStore(level, keyFile);
    await level.del("vault/1/deadlines-listed");
    const older = await opened(table);
    expect(await older.isListed()).toBe(false);
    await older.markListed();
    expect(await older.isListed()).toBe(true);
  });

  test("is gone through in parts", async () => {
    const { vault } = await filled([1, 2, 3]);
    const names = async (after: string): Promise<readonly string[]> =>
      must(await vault.next("request/", after, 2)).map(({ record }) => record);
    expect(await names("")).toEqual(["request/1", "request/2"]);
    expect(await names("request/2")).toEqual(["request/3"]);
    expect(await names("request/3")).toEqual([]);
  });
});
