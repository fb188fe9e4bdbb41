import type { Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { MemoryLevel } from "memory-level";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { leaveOlderStore } from "../testing/older-store.ts";
import type { Disk } from "./disk.ts";
import { type GroupKeyStore, groupKeysIn, memoryGroupKeys } from "./group-keys.ts";
import { deriveKey, sealValue } from "./sealing.ts";
import type { Table } from "./table.ts";
import { Vault, type VaultBatch } from "./vault.ts";

const keyFile = new Secret("5a".repeat(32));
const FOLDER = "/vault";
const STEPS_MAX = 200; // more steps than any batch takes

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};
const codeOf = <T>(result: Result<T>): string => (result.ok ? "ok" : result.problem.code);
const bytes = (text: string): Secret<Uint8Array> => new Secret(new Uint8Array(Buffer.from(text)));
const memory = () => new MemoryLevel<string, Uint8Array>({ keyEncoding: "utf8", valueEncoding: "view" });

/** Which file names are lost if they were not made durable: none at the death of the process, all at a power failure. */
type Death = "process" | "power";

const stampedSchema = z.object({ stamp: z.string(), keys: z.record(z.string(), z.string()) });

/** A disk and a table that stop at one step of writing, and keep what was written before. */
class Machine implements Disk {
  readonly level = memory();
  /** contents by inode, including files without a name, which a thief of the disk can still read */
  readonly contents = new Map<number, string>();
  /** the steps done so far */
  readonly done: string[] = [];
  diesAt: number | undefined;
  #names = new Map<string, number>();
  #durable = new Map<string, number>();
  #steps = 0;

  /** @param half applies the state of a death in the middle of the step */
  #step(what: string, half: () => void = () => undefined): void {
    if (this.diesAt !== undefined && this.#steps >= this.diesAt) {
      if (this.#steps++ === this.diesAt) half();
      throw new Error("the process died");
    }
    this.#steps++;
    this.done.push(what);
  }

  /** From now on, makes the process die before the step with this number. */
  arm(diesAt: number): void {
    this.#steps = 0;
    this.done.length = 0;
    this.diesAt = diesAt;
  }

  /** Restarts the machine. @returns whether it had died */
  revive(death: Death): boolean {
    const hasDied = this.diesAt !== undefined && this.#steps > this.diesAt;
    this.diesAt = undefined;
    if (hasDied && death === "power") this.#names = new Map(this.#durable);
    return hasDied;
  }

  /** Makes the files those of an earlier version, which wrote no stamps. */
  async withoutStamps(): Promise<void> {
    for (const [path, inode] of this.#names) {
      if (!path.endsWith(".json")) continue;
      const stamped = stampedSchema.safeParse(JSON.parse(this.contents.get(inode) ?? "{}"));
      if (stamped.success) this.contents.set(inode, JSON.stringify(stamped.data.keys));
    }
    const stamps = { gte: "vault/1/own-stamp", lt: "vault/1/own-stampee" };
    for await (const [entry] of this.level.iterator(stamps)) await this.level.del(entry);
    await leaveOlderStore(this.level, keyFile);
  }

  readonly table: Table = {
    get: (name) => this.level.get(name),
    getSync: (name) => this.level.getSync(name),
    put: async (name, value) => {
      this.#step("table");
      await this.level.put(name, value);
    },
    del: async (name) => {
      this.#step("table");
      await this.level.del(name);
    },
    batch: async (changes, { sync }) => {
      this.#step(sync ? "table" : "table, not synced");
      await this.level.batch(changes);
    },
    iterator: (range) => this.level.iterator(range),
    close: () => this.level.close(),
  };

  read = async (path: string): Promise<string | undefined> => this.contents.get(this.#names.get(path) ?? 0);
  readNow = (path: string): string | undefined => this.contents.get(this.#names.get(path) ?? 0);
  names = async (folder: string): Promise<readonly string[]> =>
    [...this.#names.keys()].map((path) => path.slice(folder.length + 1));
  inodeOf = async (path: string): Promise<number | undefined> => this.#names.get(path);
  write = async (path: string, text: string): Promise<void> => {
    const put = (content: string): void => {
      const inode = this.#names.get(path) ?? this.contents.size + 1;
      this.#names.set(path, inode);
      this.contents.set(inode, content);
    };
    this.#step("write", () => put(text.slice(0, text.length / 2)));
    put(text);
  };
  blank = async (path: string): Promise<void> => {
    const inode = this.#names.get(path);
    if (inode === undefined) return;
    const content = this.contents.get(inode) ?? "";
    const half = content.length / 2;
    this.#step("blank", () => this.contents.set(inode, "\0".repeat(half) + content.slice(half)));
    this.contents.set(inode, "\0".repeat(content.length));
  };
  link = async (path: string, second: string): Promise<void> => {
    this.#step("link");
    const inode = this.#names.get(path);
    if (inode !== undefined) this.#names.set(second, inode);
  };
  rename = async (from: string, to: string): Promise<void> => {
    this.#step("rename");
    const inode = this.#names.get(from);
    if (inode === undefined) throw new Error("there is no such file");
    this.#names.set(to, inode);
    this.#names.delete(from);
  };
  remove = async (path: string): Promise<void> => {
    this.#step("remove");
    this.#names.delete(path);
  };
  syncFolder = async (): Promise<void> => {
    this.#step("sync folder");
    this.#durable = new Map(this.#names);
  };

  keys(): GroupKeyStore {
    return groupKeysIn(FOLDER, this);
  }

  open(): Promise<Result<Vault>> {
    return Vault.open(this.table, keyFile, this.keys());
  }
}

type Texts = Readonly<Record<string, string>>;

const textsOf = async (vault: Vault): Promise<Texts> =>
  Object.fromEntries(
    must(await vault.list()).map(({ record, value }) => [record, Buffer.from(value.reveal()).toString()]),
  );

const putting = (texts: Texts): VaultBatch["puts"] =>
  Object.entries(texts).map(([record, text]) => ({ record, value: bytes(text) }));

const copyOf = async (table: Pick<Table, "iterator">): Promise<Map<string, Uint8Array>> => {
  const copy = new Map<string, Uint8Array>();
  for await (const [name, value] of table.iterator({ gte: "", lt: "\u{10ffff}" })) copy.set(name, value);
  return copy;
};

const tableOf = async (copy: ReadonlyMap<string, Uint8Array>) => {
  const level = memory();
  for (const [name, value] of copy) await level.put(name, value);
  return level;
};

interface Change {
  readonly title: string;
  readonly before: Texts;
  readonly batch: Omit<VaultBatch, "sync">;
  readonly after: Texts;
}

/** The writes that end an epoch, as the signer's core makes them. */
const CHANGES: readonly Change[] = [
  {
    title: "a switch to a key's next share",
    before: { "key/k": "share 1", "next/k/2": "share 2", "next/k": "share 2", "spent/1": "tombstone" },
    batch: {
      puts: putting({ "key/k": "share 2, active" }),
      erases: ["next/k/2", "next/k"],
      shreds: ["k/1/1"],
    },
    after: { "key/k": "share 2, active", "spent/1": "tombstone" },
  },
  {
    title: "a switch to pending auxiliary information",
    before: { "auxiliary/current": "primes 1", "pending-auxiliary/2": "primes 2", "key/k": "share" },
    batch: { puts: putting({ "auxiliary/current": "primes 2, used" }), erases: ["pending-auxiliary/2"] },
    after: { "auxiliary/current": "primes 2, used", "key/k": "share" },
  },
  {
    title: "the discard of a pending share",
    before: { "key/k": "share 1", "next/k/2": "share 2" },
    batch: { puts: putting({ "waiver/ab": "note" }), erases: ["next/k/2", "next/k"] },
    after: { "key/k": "share 1", "waiver/ab": "note" },
  },
  {
    title: "the discard of pending auxiliary information",
    before: { "auxiliary/current": "primes 1", "pending-auxiliary/2": "primes 2" },
    batch: { puts: putting({ "waiver/ab": "note" }), erases: ["pending-auxiliary/2"] },
    after: { "auxiliary/current": "primes 1", "waiver/ab": "note" },
  },
  {
    title: "the discard of a new key",
    before: { "key/k": "share 1", "key/l": "share 2" },
    batch: { puts: [], erases: ["key/k"] },
    after: { "key/l": "share 2" },
  },
  {
    title: "a pending share in another's place",
    before: { "key/k": "share 1", "next/k/2": "share 2 of one attempt" },
    batch: { puts: putting({ "next/k/2": "share 2 of the next attempt" }), erases: [] },
    after: { "key/k": "share 1", "next/k/2": "share 2 of the next attempt" },
  },
];

/** A machine with the records from before the change. */
const filled = async ({ before, batch: { shreds = [] } }: Change) => {
  const machine = new Machine();
  const vault = must(await machine.open());
  await vault.batch({ puts: putting(before), erases: [], sync: true });
  for (const group of shreds) {
    const ready = { record: "presignature/1", value: bytes("presignature"), group };
    await vault.batch({ puts: [ready], erases: [], sync: true });
  }
  return { machine, vault };
};

/** Starts the vault again and again, each time dying one step later, until a start succeeds. */
const reopen = async (machine: Machine, first: Death, death: Death): Promise<Vault> => {
  machine.revive(first);
  for (let at = 0; at < STEPS_MAX; at++) {
    machine.arm(at);
    const opened = await machine.open().catch(() => undefined);
    if (machine.revive(death)) continue;
    return must(opened ?? expect.fail("it died of nothing"));
  }
  return expect.fail("it always dies");
};

describe.each(CHANGES)("$title", (change) => {
  test.each([
    ["process", "process", "this version"],
    ["power", "power", "this version"],
    ["process", "power", "this version"],
    ["process", "power", "a version before"],
  ] as const)(
    "leaves all of the old secrets or all of the new ones, wherever it dies (%s, in starts after it %s, written by %s), and a start destroys the others' keys",
    async (first, death, writer) => {
      const ends = new Set<string>();
      for (let at = 0; at < STEPS_MAX; at++) {
        const { machine, vault } = await filled(change);
        const old = await textsOf(vault);
        machine.arm(at);
        const done = await vault.batch({ ...change.batch, sync: true }).then(
          () => true,
          () => false,
        );
        if (writer === "a version before") {
          machine.revive(first);
          await machine.withoutStamps();
        }
        const again = await reopen(machine, first, death);
        const left = await textsOf(again);
        expect([old, change.after]).toContainEqual(left);
        ends.add(JSON.stringify(left));
        const used = new Set(Object.keys(left).filter((name) => !/^(spent|waiver)/.test(name)));
        expect((await machine.keys().read()).size).toBe(used.size);
        await again.batch({ ...change.batch, sync: true });
        expect(await textsOf(await reopen(machine, first, death))).toEqual(change.after);
        if (!done) continue;
        expect(ends.size).toBe(2);
        return;
      }
      expect.fail("the batch always dies");
    },
  );

  test("makes a copy of the disk before it useless: with the passphrase and the present keys the old secrets do not open", async () => {
    const { machine, vault } = await filled(change);
    const [copy, keys] = [await copyOf(machine.table), await machine.keys().read()];
    expect(codeOf(await Vault.open(await tableOf(copy), keyFile, machine.keys()))).toBe("ok");
    await vault.batch({ ...change.batch, sync: true });

    const present = await machine.keys().read();
    const kept = Object.entries(change.before).filter(([name, text]) => change.after[name] === text);
    const gone = [...keys].filter(([group]) => !present.has(group));
    expect(gone.length).toBe(keys.size - kept.filter(([name]) => name !== "spent/1").length);
    expect(gone.length).toBeGreaterThan(0);
    expect(codeOf(await Vault.open(await tableOf(copy), keyFile, machine.keys()))).toBe("StoreDamaged");
    // no file holds the keys, not even a removed one
    const disk = [...machine.contents.values()].join();
    for (const [, sealed] of gone) expect(disk).not.toContain(Buffer.from(sealed).toString("base64"));
    for (const [, sealed] of present) expect(disk).toContain(Buffer.from(sealed).toString("base64"));
    expect(await textsOf(must(await machine.open()))).toEqual(change.after);
  });
});

describe("a secret of an epoch", () => {
  test("is replaced in this order: the new key durable, then the record, then the old key destroyed", async () => {
    const machine = new Machine();
    const vault = must(await machine.open());
    await vault.put("key/k", bytes("share 1"));
    machine.arm(STEPS_MAX);
    await vault.batch({ puts: putting({ "key/k": "share 2" }), erases: [], sync: false });
    const file = ["write", "remove", "link", "rename", "sync folder", "blank", "remove"];
    expect(machine.done).toEqual([...file, "table", ...file]);
  });

  test("stays as it was when the table cannot be written", async () => {
    const machine = new Machine();
    const vault = must(await machine.open());
    await vault.put("key/k", bytes("share 1"));
    machine.arm(STEPS_MAX);
    await vault.put("key/k", bytes("share 2"));
    machine.arm(machine.done.indexOf("table"));
    await expect(vault.put("key/k", bytes("share 3"))).rejects.toThrow("died");
    expect(await textsOf(vault)).toEqual({ "key/k": "share 2" });
    machine.revive("power");
    expect(await textsOf(must(await machine.open()))).toEqual({ "key/k": "share 2" });
  });

  test("is never removed for lack of its key: a store whose files of keys are lost or of another day is refused, and destroys nothing", async () => {
    const machine = new Machine();
    const vault = must(await machine.open());
    await vault.put("key/k", bytes("share 1"));
    const older = await copyOf(machine.table);
    await vault.put("key/k", bytes("share 2"));
    const present = await machine.keys().read();

    const without = await Vault.open(machine.table, keyFile, memoryGroupKeys());
    expect(without).toMatchObject({ ok: false, problem: { code: "StoreDamaged" } });
    expect(without.ok ? "" : without.problem.message).toContain("lack the key of the record key/k");
    expect(codeOf(await Vault.open(await tableOf(older), keyFile, machine.keys()))).toBe("StoreDamaged");
    expect(codeOf(await Vault.open(memory(), keyFile, machine.keys()))).toBe("StoreDamaged");
    expect(await machine.keys().read()).toEqual(present);
    expect(await textsOf(must(await machine.open()))).toEqual({ "key/k": "share 2" });
  });

  test("that a version before stored without a key of its own opens, and has one from its next write on", async () => {
    const machine = new Machine();
    await must(await machine.open()).put("request/1", bytes("nonce"));
    await leaveOlderStore(machine.level, keyFile);
    const salt = (await machine.level.get("vault/1/salt")) ?? expect.fail("a store has a salt");
    const master = await deriveKey(keyFile, salt);
    await machine.level.put("record/key/k", sealValue(master, "record/key/k", bytes("share 1")));
    expect(await textsOf(must(await machine.open()))).toEqual({ "key/k": "share 1", "request/1": "nonce" });
    await must(await machine.open()).put("key/k", bytes("share 2"));
    expect((await machine.keys().read()).size).toBe(1);
    expect(await textsOf(must(await machine.open()))).toEqual({ "key/k": "share 2", "request/1": "nonce" });
  });

  test("of one key changes two small files, however many keys there are", async () => {
    const machine = new Machine();
    const vault = must(await machine.open());
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`key/${at}`, `share ${at}`]));
    await vault.batch({ puts: putting(many), erases: [], sync: true });
    const all = [...machine.contents.values()].reduce((sum, { length }) => sum + length, 0);
    machine.arm(STEPS_MAX);
    const known = machine.contents.size;
    await vault.put("key/7", bytes("share 7, later"));
    const written = [...machine.contents].filter(([inode]) => inode > known);
    expect(written).toHaveLength(2);
    expect(written.reduce((sum, [, { length }]) => sum + length, 0)).toBeLessThan(all / 25);
  });
});
