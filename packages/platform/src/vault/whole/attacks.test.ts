import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, ok, type Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { groupKeysIn } from "../group-keys.ts";
import { openTable } from "../level-table.ts";
import type { Table } from "../table.ts";
import { Vault } from "../vault.ts";
import { AlteredStore } from "./altered-store.ts";

const keyFile = new Secret("5a".repeat(32));
const SYNCED = { sync: true } as const;

const bytes = (text: string): Secret<Uint8Array> => new Secret(new Uint8Array(Buffer.from(text)));
const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "attacks-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const place = (): string => join(folder, "vault");

const openVault = async (): Promise<{ table: Table; vault: Result<Vault> }> => {
  const table = must(await openTable(place()));
  return { table, vault: await Vault.open(table, keyFile, groupKeysIn(place())) };
};

/** Runs work of the signer on the open store. */
const running = async <T>(work: (vault: Vault) => Promise<T>): Promise<T> => {
  const { vault } = await openVault();
  const done = await work(must(vault));
  await must(vault).close();
  return done;
};

/** Runs an attack on the files of a stopped signer, without the passphrase. */
const attack = async <T>(work: (table: Table) => Promise<T>): Promise<T> => {
  const table = must(await openTable(place()));
  const done = await work(table);
  await table.close();
  return done;
};

const entryOf = async (table: Table, name: string): Promise<Uint8Array> =>
  (await table.get(name)) ?? expect.fail(`${name} is there`);

const put = (record: string, text: string) => (vault: Vault) => vault.put(record, bytes(text));

/** The code with which the store is refused, at its start or after `use`; "ok" if it is not refused. */
const refusedFor = async (use: (vault: Vault) => Promise<Result<unknown>>): Promise<string> => {
  const { table, vault } = await openVault();
  if (!vault.ok) {
    await table.close();
    return vault.problem.code;
  }
  const used = await use(vault.value).finally(() => table.close());
  return used.ok ? "ok" : used.problem.code;
};

const reading = (record: string) => (vault: Vault) => vault.get(record);

/** Compares all entries, as a serving signer does in the background. */
const checkedWhole = async (vault: Vault): Promise<Result<unknown>> => {
  try {
    for await (const _ of vault.check());
    return ok(undefined);
  } catch (error) {
    if (error instanceof AlteredStore) return fail("StoreAltered", { entry: error.entry }, error.message);
    throw error;
  }
};

const filled = () =>
  running(async (vault) => {
    for (const record of ["request/1", "request/2", "session/1", "spending/1", "next/k"]) {
      await vault.put(record, bytes(`of ${record}`));
    }
  });

describe("INV-4 an attacker who writes the disk of a stopped signer", () => {
  test("deletes what was signed for a request: it is not signed again", async () => {
    await filled();
    await attack((table) => table.del("record/request/1", SYNCED));
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  test("puts an old value back", async () => {
    await running(put("request/1", "old"));
    const old = await attack((table) => entryOf(table, "record/request/1"));
    await running(put("request/1", "new"));
    await attack((table) => table.put("record/request/1", old, SYNCED));
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  test("exchanges two values", async () => {
    await filled();
    await attack(async (table) => {
      const one = await entryOf(table, "record/request/1");
      const other = await entryOf(table, "record/request/2");
      await table.put("record/request/1", other, SYNCED);
      await table.put("record/request/2", one, SYNCED);
    });
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  test("puts back what was removed", async () => {
    await filled();
    const old = await attack((table) => entryOf(table, "record/next/k"));
    await running((vault) => vault.erase("next/k"));
    await attack((table) => table.put("record/next/k", old, SYNCED));
    expect(await refusedFor(reading("next/k"))).toBe("StoreAltered");
    expect(await refusedFor((vault) => vault.list())).toBe("StoreAltered");
  });

  test.each(["record/request/9", "vault/1/member/request/9", "vault/1/other"])("adds %s", async (added) => {
    await filled();
    await attack(async (table) => table.put(added, await entryOf(table, "record/request/1"), SYNCED));
    expect(await refusedFor(checkedWhole)).toBe("StoreAltered");
  });

  test("copies another store's entry, which the same passphrase opens", async () => {
    await filled();
    const foreign = await attack((table) => entryOf(table, "record/request/1"));
    await rm(place(), { recursive: true });
    await filled();
    await attack((table) => table.put("record/request/1", foreign, SYNCED));
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  test("has the signer itself forget what was signed for a request", async () => {
    await running((vault) =>
      vault.batch({
        puts: [{ record: "request/1", value: bytes("bound"), forgetAtMs: 9_000 }],
        erases: [],
        ...SYNCED,
      }),
    );
    const time = "1".padStart(16, "0");
    await attack((table) => table.put(`vault/1/deadline/${time}/request/1`, new Uint8Array(0), SYNCED));
    const { table, vault } = await openVault();
    await expect(must(vault).forget(10, 10)).rejects.toThrow("changed the store");
    expect(await table.get("record/request/1")).toBeDefined();
    await table.close();
  });
});

describe("INV-2 an attacker who writes the disk of a stopped signer", () => {
  test("puts a presignature back, and deletes that it is spent", async () => {
    const ready = { record: "presignature/P", value: bytes("k and chi"), group: "epoch-1" };
    await running((vault) => vault.batch({ puts: [ready], erases: [], ...SYNCED }));
    const [entry, member] = await attack(async (table) => [
      await entryOf(table, "record/presignature/P"),
      await entryOf(table, "vault/1/member/presignature/P"),
    ]);
    await running((vault) =>
      vault.batch({
        puts: [
          { record: "spent/P", value: bytes("digest") },
          { ...ready, record: "presignature/Q" },
        ],
        erases: ["presignature/P"],
        ...SYNCED,
      }),
    );
    await attack(async (table) => {
      await table.put("record/presignature/P", entry ?? new Uint8Array(0), SYNCED);
      await table.put("vault/1/member/presignature/P", member ?? new Uint8Array(0), SYNCED);
      await table.del("record/spent/P", SYNCED);
    });
    expect(await refusedFor(reading("spent/P"))).toBe("StoreAltered");
    expect(await refusedFor((vault) => vault.list("presignature/"))).toBe("StoreAltered");
  });

  test.each(["record/spending/1", "record/next/k"])("deletes %s, which a start reads", async (entry) => {
    await filled();
    await attack((table) => table.del(entry, SYNCED));
    expect(await refusedFor((vault) => vault.listBut(["request/", "session/"]))).toBe("StoreAltered");
  });

  test("deletes an entry of a kind that is read in parts", async () => {
    await running(async (vault) => {
      for (const key of ["a", "b", "c"]) await vault.put(`key-facts/${key}`, bytes(key));
    });
    await attack((table) => table.del("record/key-facts/b", SYNCED));
    expect(await refusedFor((vault) => vault.next("key-facts/", "", 1))).toBe("StoreAltered");
  });
});

describe("the index that knows the entries", () => {
  const namesOf = async (table: Table, prefix: string): Promise<readonly string[]> => {
    const names = [];
    for await (const [name] of table.iterator({ gte: prefix, lt: `${prefix}\u{10ffff}` })) names.push(name);
    return names;
  };

  test.each(["vault/2/root", "vault/2/counts", "~"])("is refused without %s", async (prefix) => {
    await filled();
    await attack(async (table) => {
      const [first] = await namesOf(table, prefix);
      await table.del(first ?? expect.fail("there is one"), SYNCED);
    });
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  test("is refused with leaves and a root of different times", async () => {
    await filled();
    const root = await attack((table) => entryOf(table, "vault/2/root"));
    await running(put("request/3", "later"));
    await attack((table) => table.put("vault/2/root", root, SYNCED));
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  /** All entries of a stopped store. */
  const allOf = async (table: Table): Promise<ReadonlyMap<string, Uint8Array>> => {
    const entries = new Map<string, Uint8Array>();
    for await (const [name, value] of table.iterator({ gte: "", lt: "\u{10ffff}" })) entries.set(name, value);
    return entries;
  };

  /** Restores some entries of a store to earlier values; entries that did not exist then are removed. */
  const bringBack = (table: Table, names: readonly string[], then: ReadonlyMap<string, Uint8Array>) =>
    table.batch(
      names.map((key) => {
        const value = then.get(key);
        return value === undefined ? { type: "del", key } : { type: "put", key, value };
      }),
      SYNCED,
    );

  /**
   * A store at three moments, before and after binding a request and then removing a record, and the names that each
   * change touched.
   */
  const lived = async () => {
    await filled();
    const one = await attack(allOf);
    await running(put("request/1", "bound anew"));
    const two = await attack(allOf);
    await running((vault) => vault.erase("next/k"));
    const three = await attack(allOf);
    const differing = (before: typeof one, after: typeof one): readonly string[] =>
      [...new Set([...before.keys(), ...after.keys()])].filter(
        (name) => !isSame(before.get(name), after.get(name)),
      );
    return { one, two, three, differing };
  };
  const isSame = (before: Uint8Array | undefined, after: Uint8Array | undefined): boolean =>
    before !== undefined && after !== undefined ? Buffer.from(before).equals(after) : before === after;

  test("is refused where an entry is old with its leaf", async () => {
    const { one, two, differing } = await lived();
    const changed = differing(one, two).filter((name) => name !== "vault/2/root");
    expect(changed.map((name) => name.slice(0, 7))).toEqual(
      ["record/", "~"].map((part) => expect.stringContaining(part)),
    );
    await attack((table) => bringBack(table, changed, one));
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  test("is refused where an entry is old with its leaf and its root, and another is not", async () => {
    const { one, two, differing } = await lived();
    await attack((table) => bringBack(table, differing(one, two), one));
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  test("is refused where all leaves and the root are old, and no entry is, once one of them is used", async () => {
    const { one, three, differing } = await lived();
    const knowing = differing(one, three).filter(
      (name) => name.startsWith("~") || name.startsWith("vault/2/"),
    );
    await attack((table) => bringBack(table, knowing, one));
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
    expect(await refusedFor(reading("next/k"))).toBe("StoreAltered");
    expect(await refusedFor(checkedWhole)).toBe("StoreAltered");
  });

  test("is compared with the sums in memory: an entry set back with its leaf under a running signer is noticed", async () => {
    await filled();
    const { table, vault } = await openVault();
    const before = await allOf(table);
    await must(vault).put("request/1", bytes("bound anew"));
    const changed = [...before.keys()].filter((name) => name.startsWith("~") || name === "record/request/1");
    await bringBack(table, changed, before);
    expect(await must(vault).get("request/1")).toMatchObject({ problem: { code: "StoreAltered" } });
    await table.close();
  });

  test("is refused where a unit stands twice beside itself, which no sum shows", async () => {
    await filled();
    await attack(async (table) => {
      const [name = ""] = await namesOf(table, "~");
      const leaf = await entryOf(table, name);
      await table.put(name, Buffer.concat([leaf.subarray(0, 16), leaf.subarray(0, 16), leaf]), SYNCED);
    });
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  test("is refused where a leaf stands in another's place", async () => {
    await filled();
    await attack(async (table) => {
      const [name = ""] = await namesOf(table, "~");
      await table.put("~00000", await entryOf(table, name), SYNCED);
      await table.del(name, SYNCED);
    });
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });

  test("cannot be removed: a store without it, and with the head of the previous version, is refused", async () => {
    await filled();
    const { leaveOlderStore } = await import("../../testing/older-store.ts");
    const head = await attack(async (table) => {
      await leaveOlderStore(table, keyFile);
      return { salt: await entryOf(table, "vault/1/salt"), check: await entryOf(table, "vault/1/check") };
    });
    await running(put("request/3", "bound since it was taken over"));
    await attack(async (table) => {
      for (const name of [...(await namesOf(table, "vault/2/")), ...(await namesOf(table, "~"))]) {
        await table.del(name, SYNCED);
      }
      await table.put("vault/1/salt", head.salt, SYNCED);
      await table.put("vault/1/check", head.check, SYNCED);
      await table.del("record/request/1", SYNCED);
    });
    expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
  });
});

test("a store of a version before is taken over once, with its records", async () => {
  await filled();
  const { leaveOlderStore } = await import("../../testing/older-store.ts");
  await attack((table) => leaveOlderStore(table, keyFile));
  const texts = await running(async (vault) =>
    must(await vault.list()).map(({ record, value }) => [record, Buffer.from(value.reveal()).toString()]),
  );
  expect(texts.map(([record, text]) => text === `of ${record}`)).toEqual([true, true, true, true, true]);
  await attack((table) => table.del("record/request/1", SYNCED));
  expect(await refusedFor(reading("request/1"))).toBe("StoreAltered");
});

test("a whole older copy is not noticed by the store, but its counter is the older one", async () => {
  await filled();
  await cp(place(), join(folder, "copy"), { recursive: true });
  const counter = await running(async (vault) => {
    await vault.put("request/3", bytes("later"));
    return vault.counter;
  });
  await rm(place(), { recursive: true });
  await cp(join(folder, "copy"), place(), { recursive: true });
  expect(await running(async (vault) => vault.counter)).toBe(counter - 1);
});

test("a vault belongs to one identity: another is refused, and changes nothing", async () => {
  const [ours, others] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  expect((await running((vault) => vault.bindTo(ours))).ok).toBe(true);
  expect(await refusedFor((vault) => vault.bindTo(others))).toBe("StoreOfAnother");
  expect(await refusedFor((vault) => vault.bindTo(ours))).toBe("ok");
  const owner = await attack((table) => entryOf(table, "vault/2/owner"));
  await attack((table) => table.del("vault/2/owner", SYNCED));
  expect(await refusedFor((vault) => vault.bindTo(others))).toBe("StoreAltered");
  await rm(place(), { recursive: true });
  expect((await running((vault) => vault.bindTo(others))).ok).toBe(true);
  await attack((table) => table.put("vault/2/owner", owner, SYNCED));
  expect(await refusedFor((vault) => vault.bindTo(ours))).toBe("StoreAltered");
});

describe("a check beside serving", () => {
  const checked = async (vault: Vault, between: () => Promise<void> = async () => undefined) => {
    for await (const _ of vault.check()) await between();
  };

  test("finds a change of an entry that nobody has read", async () => {
    await filled();
    await attack((table) => table.del("record/session/1", SYNCED));
    await expect(running((vault) => checked(vault))).rejects.toThrow("changed the store");
  });

  test("takes no write of the signer itself for a foreign change", async () => {
    await running(async (vault) => {
      const puts = Array.from({ length: 600 }, (_, at) => ({
        record: `session/${at}`,
        value: bytes("used"),
      }));
      await vault.batch({ puts, erases: [], ...SYNCED });
      let at = 0;
      await checked(vault, async () => {
        await vault.put(`request/${at++}`, bytes("bound"));
        await vault.erase(`session/${at}`);
      });
      expect(at).toBeGreaterThan(0);
    });
    await running((vault) => checked(vault));
  });
});
