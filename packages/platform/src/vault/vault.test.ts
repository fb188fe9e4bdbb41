import { link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ERRORS, type Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { MemoryLevel } from "memory-level";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { groupKeysIn, memoryGroupKeys } from "./group-keys.ts";
import { openTable } from "./level-table.ts";
import type { Table } from "./table.ts";
import { Vault } from "./vault.ts";

const passphrase = new Secret("correct horse battery staple");
const keyFile = new Secret("5a".repeat(32));
const SHARE = "a share that nobody may read";

const bytes = (text: string): Secret<Uint8Array> => new Secret(new Uint8Array(Buffer.from(text)));
const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};
const codeOf = <T>(result: Result<T>): string => (result.ok ? "ok" : result.problem.code);
const memory = () => new MemoryLevel<string, Uint8Array>({ keyEncoding: "utf8", valueEncoding: "view" });
/** Opens a vault on a table and the keys of its groups, as a disk would keep them. */
const opened = (table: Table, secret: Secret<string>, keys = memoryGroupKeys()) =>
  Vault.open(table, secret, keys);
const textOf = (result: Result<Secret<Uint8Array> | undefined>): string | undefined => {
  const value = must(result);
  return value && Buffer.from(value.reveal()).toString();
};

describe("a vault", () => {
  test.each([
    ["a passphrase", passphrase],
    ["a key file", keyFile],
  ])("gives back under %s what was put, also after it was closed", async (_, secret) => {
    const [table, keys] = [memory(), memoryGroupKeys()];
    await must(await opened(table, secret, keys)).put("key/1", bytes(SHARE));
    const again = must(await opened(table, secret, keys));
    expect(textOf(await again.get("key/1"))).toBe(SHARE);
  });

  test("answers nothing for a record that was never put, or was erased", async () => {
    const vault = must(await opened(memory(), keyFile));
    await vault.put("key/1", bytes(SHARE));
    await vault.erase("key/1");
    expect(textOf(await vault.get("key/1"))).toBe(undefined);
    expect(textOf(await vault.get("key/2"))).toBe(undefined);
  });

  test("lists records by prefix, in order of names", async () => {
    const vault = must(await opened(memory(), keyFile));
    for (const record of ["session/b", "key/1", "session/a", "sessions"])
      await vault.put(record, bytes(record));
    expect(must(await vault.list("session/")).map(({ record }) => record)).toEqual([
      "session/a",
      "session/b",
    ]);
    expect(must(await vault.list()).map(({ record }) => record)).toHaveLength(4);
  });

  test("INV-2 writes and removes in one step: a batch that fails leaves everything as it was", async () => {
    const table = memory();
    const vault = must(await opened(table, keyFile));
    await vault.put("presignature/1", bytes(SHARE));
    await vault.batch({
      puts: [{ record: "spent/1", value: bytes("tombstone") }],
      erases: ["presignature/1"],
      sync: true,
    });
    expect(must(await vault.list()).map(({ record }) => record)).toEqual(["spent/1"]);

    const broken = new Error("the disk is full");
    const failing: Table = {
      get: (name) => table.get(name),
      getSync: (name) => table.getSync(name),
      put: (name, value) => table.put(name, value),
      del: (name) => table.del(name),
      batch: () => Promise.reject(broken),
      iterator: (range) => table.iterator(range),
      close: () => table.close(),
    };
    const unlucky = must(await opened(failing, keyFile));
    const writing = unlucky.batch({
      puts: [{ record: "spent/2", value: bytes("tombstone") }],
      erases: ["spent/1"],
      sync: true,
    });
    await expect(writing).rejects.toBe(broken);
    expect(must(await unlucky.list()).map(({ record }) => record)).toEqual(["spent/1"]);
  });

  test("shreds a group: its records are gone, and what a disk kept of them does not open any more", async () => {
    const [table, keys] = [memory(), memoryGroupKeys()];
    const vault = must(await opened(table, keyFile, keys));
    const put = (record: string, group: string) =>
      vault.batch({ puts: [{ record, value: bytes(SHARE), group }], erases: [], sync: true });
    await put("presignature/1", "key-1/epoch-1");
    await put("presignature/2", "key-1/epoch-1");
    await put("presignature/3", "key-1/epoch-2");
    const kept = new Map<string, Uint8Array>();
    for await (const [name, value] of table.iterator()) kept.set(name, value);

    const reopened = must(await opened(table, keyFile, keys));
    expect(textOf(await reopened.get("presignature/1"))).toBe(SHARE);
    await reopened.batch({ puts: [], erases: [], shreds: ["key-1/epoch-1"], sync: true });
    expect(must(await reopened.list()).map(({ record }) => record)).toEqual(["presignature/3"]);

    // an old copy of the table is restored, without the group's key
    for (const [name, value] of kept) await table.put(name, value);
    const restored = must(await opened(table, keyFile, keys));
    expect(must(await restored.list()).map(({ record }) => record)).toEqual(["presignature/3"]);
  });

  test("keeps keys of groups without a record up to a number: however many groups come and go, the file of keys stays small", async () => {
    const [table, keys] = [memory(), memoryGroupKeys()];
    const vault = must(await opened(table, keyFile, keys));
    const many = Array.from({ length: 8_192 }, (_, at) => `presignature/${at}`);
    const puts = many.map((record) => ({ record, value: bytes(SHARE), group: `of ${record}` }));
    await vault.batch({ puts, erases: [], sync: false });
    await vault.batch({ puts: [], erases: many.slice(2), sync: false });
    expect((await keys.read()).size).toBe(many.length);
    await vault.batch({
      puts: [{ record: "presignature/new", value: bytes(SHARE), group: "new" }],
      erases: [],
      sync: true,
    });
    expect([...(await keys.read()).keys()].sort()).toEqual(["new", "of presignature/0", "of presignature/1"]);
    expect(textOf(await vault.get("presignature/1"))).toBe(SHARE);
  });

  test("shreds a group whose records are all gone when it is opened again: what a disk kept of them does not open", async () => {
    const [table, keys] = [memory(), memoryGroupKeys()];
    const vault = must(await opened(table, keyFile, keys));
    const put = (record: string, group: string) =>
      vault.batch({ puts: [{ record, value: bytes(SHARE), group }], erases: [], sync: true });
    await put("presignature/1", "epoch-1");
    await put("presignature/2", "epoch-2");
    await vault.erase("presignature/1");
    await opened(table, keyFile, keys);
    expect([...(await keys.read()).keys()]).toEqual(["epoch-2"]);
  });

  test("ends a shredding that a crash cut short", async () => {
    const [table, keys] = [memory(), memoryGroupKeys()];
    const vault = must(await opened(table, keyFile, keys));
    const put = { record: "presignature/1", value: bytes(SHARE), group: "epoch-1" };
    await vault.batch({ puts: [put], erases: [], sync: true });
    await keys.change(new Map(), ["epoch-1"]); // the state that version 0.1 could leave: the key is gone, the record not yet
    const again = must(await opened(table, keyFile, keys));
    expect(must(await again.list())).toEqual([]);
    expect(await table.get("record/presignature/1")).toBe(undefined);
  });

  test("does not open a record that was put back into another group", async () => {
    const table = memory();
    const vault = must(await opened(table, keyFile));
    const put = (group: string) =>
      vault.batch({
        puts: [{ record: "presignature/1", value: bytes(SHARE), group }],
        erases: [],
        sync: true,
      });
    await put("epoch-1");
    const old = await table.get("record/presignature/1");
    await put("epoch-2");
    await table.put("record/presignature/1", old ?? new Uint8Array(0));
    expect(codeOf(await vault.get("presignature/1"))).toBe("StoreAltered");
  });

  test("refuses a wrong passphrase with a remedy, and changes nothing", async () => {
    const [table, keys] = [memory(), memoryGroupKeys()];
    await must(await opened(table, passphrase, keys)).put("key/1", bytes(SHARE));
    const wrong = await opened(table, new Secret("incorrect horse battery"), keys);
    expect(codeOf(wrong)).toBe("PassphraseWrong");
    expect(ERRORS.PassphraseWrong.remedy).toContain("passphrase or key file");
    expect(textOf(await must(await opened(table, passphrase, keys)).get("key/1"))).toBe(SHARE);
  });

  test("refuses another key file", async () => {
    const table = memory();
    must(await opened(table, keyFile));
    expect(codeOf(await opened(table, new Secret("a5".repeat(32))))).toBe("PassphraseWrong");
  });

  test("refuses a value of which one bit was changed", async () => {
    const table = memory();
    const vault = must(await opened(table, keyFile));
    await vault.put("key/1", bytes(SHARE));
    const sealed = await table.get("record/key/1");
    if (sealed === undefined) throw new Error("nothing was stored");
    const changed = Uint8Array.from(sealed, (byte, place) => (place === 30 ? byte ^ 1 : byte));
    await table.put("record/key/1", changed);
    expect(codeOf(await vault.get("key/1"))).toBe("StoreAltered");
    expect(codeOf(await vault.list())).toBe("StoreAltered");
  });

  test("refuses a value that stands in another record's place", async () => {
    const table = memory();
    const vault = must(await opened(table, keyFile));
    await vault.put("request/1", bytes("nonce 1"));
    await vault.put("request/2", bytes("nonce 2"));
    const second = await table.get("record/request/2");
    if (second === undefined) throw new Error("nothing was stored");
    await table.put("record/request/1", second);
    expect(codeOf(await vault.get("request/1"))).toBe("StoreAltered");
  });

  test("refuses a value that was cut short", async () => {
    const table = memory();
    const vault = must(await opened(table, keyFile));
    await vault.put("key/1", bytes(SHARE));
    await table.put("record/key/1", new Uint8Array(7));
    expect(codeOf(await vault.get("key/1"))).toBe("StoreAltered");
  });

  test("refuses to begin anew over records whose head is lost", async () => {
    const table = memory();
    await must(await opened(table, keyFile)).put("key/1", bytes(SHARE));
    await table.del("vault/2/salt");
    expect(codeOf(await opened(table, keyFile))).toBe("StoreDamaged");
  });

  test("leaves alone what a newer version began, whose form it does not know", async () => {
    const table = memory();
    await table.put("vault/3/salt", new Uint8Array(16));
    expect(codeOf(await opened(table, keyFile))).toBe("StoreNewer");
    expect(await table.keys().all()).toEqual(["vault/3/salt"]);
  });

  test("seals equal values differently each time", async () => {
    const table = memory();
    const vault = must(await opened(table, keyFile));
    await vault.put("key/1", bytes(SHARE));
    const first = await table.get("record/key/1");
    await vault.put("key/1", bytes(SHARE));
    expect(await table.get("record/key/1")).not.toEqual(first);
  });
});

describe("a vault on disk", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-vault-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const filled = async (name: string): Promise<{ place: string; table: Table; vault: Vault }> => {
    const place = join(folder, name);
    const table = must(await openTable(place));
    const vault = must(await opened(table, keyFile, groupKeysIn(place)));
    await vault.put("key/1", bytes(SHARE));
    return { place, table, vault };
  };

  test("shows no value and no key in any of its files (INV-10)", async () => {
    const { place, vault } = await filled("clear");
    await vault.close();
    const files = await Promise.all((await readdir(place)).map((file) => readFile(join(place, file))));
    const all = Buffer.concat(files);
    expect(all.includes("record/key/1")).toBe(true);
    expect(all.includes(SHARE)).toBe(false);
    expect(all.includes(Buffer.from(keyFile.reveal(), "hex"))).toBe(false);
  });

  test("is refused to a second opener, and free again once closed", async () => {
    const { place, vault } = await filled("locked");
    expect(codeOf(await openTable(place))).toBe("StoreLocked");
    await vault.close();
    const table = must(await openTable(place));
    const again = must(await opened(table, keyFile, groupKeysIn(place)));
    expect(textOf(await again.get("key/1"))).toBe(SHARE);
    await table.close();
  });

  test("throws nothing away when its group keys are there and cannot be read", async () => {
    const { place, vault } = await filled("unreadable");
    await vault.close();
    const file = join(place, "group-keys.json");
    await rm(file, { force: true });
    await mkdir(file); // a folder, so that reading it as a file fails
    const table = must(await openTable(place));
    await expect(opened(table, keyFile, groupKeysIn(place))).rejects.toThrow("EISDIR");
    expect(await table.get("record/key/1")).not.toBe(undefined);
    await table.close();
  });

  test("keeps no trace of the key of a group that was shredded in any of its files", async () => {
    const { place, vault } = await filled("shredded");
    const group = "key-1/epoch-1";
    const put = { record: "presignature/1", value: bytes(SHARE), group };
    await vault.batch({ puts: [put], erases: [], sync: true });
    const sealed = Buffer.from((await groupKeysIn(place).read()).get(group) ?? new Uint8Array(0));
    const text = sealed.toString("base64");
    await vault.batch({ puts: [], erases: [], shreds: [group], sync: true });
    await vault.close();
    const files = await Promise.all((await readdir(place)).map((file) => readFile(join(place, file))));
    expect(text.length).toBeGreaterThan(40);
    expect(Buffer.concat(files).includes(text)).toBe(false);
    expect(Buffer.concat(files).includes(sealed)).toBe(false);
  });

  test.each(["old", "next"])(
    "overwrites a %s file of keys that a crash left behind, once it is opened",
    async (leftover) => {
      const { place, vault } = await filled(`crashed-${leftover}`);
      await vault.close();
      await writeFile(join(place, "group-keys.json"), "{}");
      const path = join(place, `group-keys.json.${leftover}`);
      await writeFile(path, "the sealed key of a group that is shredded");
      await groupKeysIn(place).read();
      expect((await readFile(path)).every((byte) => byte === 0)).toBe(true);
    },
  );

  test("keeps its keys when a crash came before the new ones took their place", async () => {
    const { place, vault } = await filled("linked");
    await vault.batch({
      puts: [{ record: "a", value: bytes(SHARE), group: "g" }],
      erases: ["key/1"],
      sync: true,
    });
    await vault.close();
    const path = join(place, "group-keys.json");
    await rm(`${path}.old`, { force: true });
    await link(path, `${path}.old`);
    expect([...(await groupKeysIn(place).read()).keys()]).toEqual(["g"]);
    expect([...(await groupKeysIn(place).read()).keys()]).toEqual(["g"]);
  });

  test("that cannot be a folder is said to be damaged", async () => {
    expect(codeOf(await openTable("/dev/null/vault"))).toBe("StoreDamaged");
  });
});
