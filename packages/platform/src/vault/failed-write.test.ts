import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "@conclave/threshold";
import { MemoryLevel } from "memory-level";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryGroupKeys } from "./group-keys.ts";
import { openTable } from "./level-table.ts";
import type { Table } from "./table.ts";
import { Vault } from "./vault.ts";

const value = new Secret(Uint8Array.of(1));
const FULL = "no space left on device";

/** A vault on a disk that fails while `fails` says so. */
const openOn = async (table: Table, fails: () => boolean) => {
  const failing: Table = {
    ...bound(table),
    batch: (changes, options) => (fails() ? Promise.reject(new Error(FULL)) : table.batch(changes, options)),
  };
  const vault = await Vault.open(failing, new Secret("5a".repeat(32)), memoryGroupKeys());
  if (!vault.ok) throw new Error(vault.problem.message);
  return vault.value;
};

const bound = (table: Table): Table => ({
  get: (name) => table.get(name),
  getSync: (name) => table.getSync(name),
  put: (name, bytes, options) => table.put(name, bytes, options),
  del: (name, options) => table.del(name, options),
  batch: (changes, options) => table.batch(changes, options),
  iterator: (range) => table.iterator(range),
  close: () => table.close(),
});

describe("INV-2 a vault of which a write failed", () => {
  const table = new MemoryLevel<string, Uint8Array>({ keyEncoding: "utf8", valueEncoding: "view" });

  it("takes no other: LevelDB would write it behind the torn one, report it durable, and lose it at a restart", async () => {
    let isFull = false;
    const vault = await openOn(table, () => isFull);
    await vault.put("a", value);
    isFull = true;
    // the second write already waits for its turn when the first fails
    const first = vault.put("b", value);
    const second = vault.put("c", value);
    await expect(first).rejects.toThrow(FULL);
    isFull = false;
    await expect(second).rejects.toThrow("nothing more is written");
    await expect(vault.put("d", value)).rejects.toThrow("nothing more is written");
    await expect(vault.forget(1, 1)).rejects.toThrow("nothing more is written");
    const found = await vault.list();
    expect(found.ok && found.value.map(({ record }) => record)).toEqual(["a"]);
  });
});

describe("a store that the file system does not let be opened", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "conclave-store-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is not called damaged: the outage has the system's message and can be tried again", async () => {
    mkdirSync(join(folder, "CURRENT")); // a folder, so that LevelDB cannot read the file CURRENT
    const opened = await openTable(folder);
    expect(opened).toMatchObject({ ok: false, problem: { code: "StoreUnusable" } });
    expect(!opened.ok && opened.problem.message).toMatch(/directory/i);
  });
});
