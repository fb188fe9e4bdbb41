import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTable } from "@conclave/platform/vault";
import { processWorld } from "@conclave/platform/world";
import { Secret } from "@conclave/threshold";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Checking } from "./checking.ts";
import { openRecords } from "./records.ts";
import { provision, settingsOf } from "./testing/cluster.ts";

const RECORDS = 1_000;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "checking-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const opened = async () => {
  const { machine, passphrase, identity } = await settingsOf(await provision(2, 2), 1);
  const openStore = async () => {
    const records = await openRecords(folder, passphrase, identity.identityKey, machine.reader);
    if (!records.ok) throw new Error(records.problem.message);
    return records.value.vault;
  };
  const vault = await openStore();
  const puts = Array.from({ length: RECORDS }, (_, at) => ({
    record: `session/${at}`,
    value: new Secret(new Uint8Array(8)),
  }));
  await vault.batch({ puts, erases: [], sync: true });
  await vault.close();
  return openStore;
};

/** How a check of the store ends. */
const ended = async (openStore: Awaited<ReturnType<typeof opened>>) => {
  const vault = await openStore();
  const said = await new Promise<unknown>((say) => {
    new Checking(processWorld, () => vault.check(), say, say);
  });
  await vault.close();
  return said;
};

test("INV-4 a store is looked through beside serving, and one entry that is missing ends the signer", async () => {
  const openStore = await opened();
  expect(await ended(openStore)).toBeGreaterThan(RECORDS - 256);
  const table = await openTable(folder);
  if (!table.ok) throw new Error(table.problem.message);
  await table.value.del("record/session/77", { sync: true });
  await table.value.close();
  expect(await ended(openStore)).toMatchObject({ message: expect.stringContaining("changed the store") });
});

test("a check that is closed says nothing more, and lets the store close", async () => {
  const vault = await (await opened())();
  const said: unknown[] = [];
  const checking = new Checking(
    processWorld,
    () => vault.check(),
    (error) => said.push(error),
    (entries) => said.push(entries),
  );
  await checking.close();
  await vault.close();
  expect(said).toEqual([]);
});
