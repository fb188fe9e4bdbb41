import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "@conclave/custody";
import { groupKeysIn, openTable, type Table, Vault } from "@conclave/platform/vault";
import { processWorld } from "@conclave/platform/world";
import { Secret } from "@conclave/threshold";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FORGOTTEN_PER_WRITE, Forgetting } from "./forgetting.ts";

const DUE = 3_000;
const value = new Secret(new Uint8Array(8));
const never = (error: unknown): void => {
  throw new Error("it failed", { cause: error });
};
const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "forgetting-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A vault with so many records that are due, and every write that its table is asked for. */
const filled = async () => {
  const level = must(await openTable(folder));
  const writes: { readonly keys: number; readonly sync: boolean }[] = [];
  const table: Table = {
    get: (name) => level.get(name),
    getSync: (name) => level.getSync(name),
    put: (name, bytes, options) => level.put(name, bytes, options),
    del: (name, options) => level.del(name, options),
    batch: (changes, options) => {
      writes.push({ keys: changes.length, sync: options.sync });
      return level.batch(changes, options);
    },
    iterator: (range) => level.iterator(range),
    close: () => level.close(),
  };
  const vault = must(await Vault.open(table, new Secret("5a".repeat(32)), groupKeysIn(folder)));
  const puts = Array.from({ length: DUE }, (_, at) => ({ record: `session/${at}`, value, forgetAtMs: at }));
  await vault.batch({ puts, erases: [], sync: true });
  writes.length = 0;
  return { vault, writes };
};

test("a signature waits for one slice at most of what is forgotten", async () => {
  const { vault, writes } = await filled();
  const forgetting = new Forgetting(processWorld, (untilMs, limit) => vault.forget(untilMs, limit), never);
  forgetting.begin(DUE);
  const signature = { puts: [{ record: "spent/1", value }], erases: [], sync: true };
  await vault.batch(signature);
  expect(writes.length).toBeLessThanOrEqual(2);
  await expect.poll(async () => must(await vault.list("session/")).length).toBe(0);
  await forgetting.close();
  // of each record it, its deadline, and a leaf of each; of the write a root, and what the signature adds
  for (const { keys } of writes) expect(keys).toBeLessThanOrEqual(4 * FORGOTTEN_PER_WRITE + 3);
});

test("when it is closed, it ends its slice and begins no other", async () => {
  const { vault, writes } = await filled();
  const forgetting = new Forgetting(processWorld, (untilMs, limit) => vault.forget(untilMs, limit), never);
  forgetting.begin(DUE);
  await forgetting.close();
  await vault.settle();
  expect(writes).toHaveLength(1);
  forgetting.begin(DUE);
  await forgetting.close();
  await vault.settle();
  expect(writes).toHaveLength(1);
});

test("a record that it cannot write stops the signer, and it tries no further", async () => {
  const broken = new Error("the disk is full");
  const failures: unknown[] = [];
  let tries = 0;
  const forgetting = new Forgetting(
    processWorld,
    () => {
      tries++;
      return Promise.reject(broken);
    },
    (error) => failures.push(error),
  );
  forgetting.begin(1);
  await forgetting.close();
  forgetting.begin(2);
  await forgetting.close();
  expect([failures, tries]).toEqual([[broken], 1]);
});
