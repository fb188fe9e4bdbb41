import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SignerConfig } from "@conclave/cluster";
import { fail, type Result } from "@conclave/custody";
import { leaveOlderStore } from "@conclave/platform/testing";
import { openTable } from "@conclave/platform/vault";
import { Secret } from "@conclave/threshold";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openRecords } from "./records.ts";

const passphrase = new Secret("5a".repeat(32));
const identityKey = new Uint8Array(32);
const NONCE = Uint8Array.of(0x0a, 0x0b);
const reader: SignerConfig["reader"] = {
  read: () => fail("TransactionUnreadable"),
  judgeMessage: () => fail("TransactionUnreadable"),
  readContent: () => fail("TypedDataInvalid"),
  excludes: () => false,
  exclusionOfNonce: () => NONCE,
};
const text = (json: unknown): Secret<Uint8Array> =>
  new Secret(new Uint8Array(Buffer.from(JSON.stringify(json))));
const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "records-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PAST = 2_500;
const past = Array.from({ length: PAST }, (_, at) => ({
  record: `session/${String(at).padStart(6, "0")}`,
  value: text({ version: 1, forgetAtMs: at }),
}));
const spending = { record: "spending/1", value: text({ version: 1, count: 1 }) };
const request = {
  record: "request/xfr-1",
  value: text({ version: 2, transactions: [], forgetAtMs: 5_000 }),
};

/** Such a store with these records. */
const leaveOlderRecords = async (puts: readonly (typeof request)[]): Promise<void> => {
  const { vault } = must(await openRecords(folder, passphrase, identityKey, reader));
  await vault.batch({ puts, erases: [], sync: true });
  await vault.close();
  await asOlder();
};

/** The store as a version leaves it that lists no deadlines. */
const asOlder = async (): Promise<void> => {
  const table = must(await openTable(folder));
  await leaveOlderStore(table, passphrase);
  await table.del("vault/1/deadlines-listed", { sync: true });
  await table.close();
};

describe("a signer's store", () => {
  test("is opened without what is past: that is read when it is named", async () => {
    const first = must(await openRecords(folder, passphrase, identityKey, reader));
    const puts = past.map((each, at) => ({ ...each, forgetAtMs: at }));
    await first.vault.batch({ puts: [...puts, spending], erases: [], sync: true });
    await first.vault.close();
    const { vault, records } = must(await openRecords(folder, passphrase, identityKey, reader));
    expect(records.map(({ record }) => record)).toEqual([spending.record]);
    expect(vault.read("session/000007")).toBeDefined();
    expect(vault.read("session/no")).toBeUndefined();
    await vault.close();
  });

  test("is opened without its keys, which are read when they are named; with them once, when an older version left it", async () => {
    const key = { record: "key/key-1", value: text({ version: 1 }) };
    const tally = { record: "key-tally/all", value: text({ version: 1, keys: 1 }) };
    const facts = { record: "key-facts/key-1", value: text({ version: 1 }) };
    const namesAfter = async (puts: readonly (typeof key)[]) => {
      const { vault } = must(await openRecords(folder, passphrase, identityKey, reader));
      await vault.batch({ puts, erases: [], sync: true });
      await vault.close();
      const again = must(await openRecords(folder, passphrase, identityKey, reader));
      expect(again.past.read(key.record)).toBeDefined();
      await again.vault.close();
      return again.records.map(({ record }) => record);
    };
    expect(await namesAfter([key, spending])).toEqual([key.record, spending.record]);
    expect(await namesAfter([facts, tally])).toEqual([tally.record, spending.record]);
  });

  test("of an older version is filed by deadlines in one start: all of it is there, and is forgotten in time", async () => {
    await leaveOlderRecords([...past, request, spending]);
    const { vault, records } = must(await openRecords(folder, passphrase, identityKey, reader));
    expect(records.map(({ record }) => record)).toEqual([spending.record]);
    expect(must(await vault.list())).toHaveLength(PAST + 2);
    expect(await vault.forget(4_999, 10_000)).toBe(PAST);
    expect(must(await vault.list()).map(({ record }) => record)).toEqual([request.record, spending.record]);
    expect(await vault.isListed()).toBe(true);
    await vault.close();
  });

  test("INV-4 of version 0.1 keeps what a request is bound to, in the form of this version", async () => {
    const old = { record: request.record, value: text({ version: 1, nonce: "7", forgetAtMs: 5_000 }) };
    await leaveOlderRecords([old]);
    const { vault } = must(await openRecords(folder, passphrase, identityKey, reader));
    const kept = vault.read(request.record) ?? expect.fail("it is kept");
    expect(JSON.parse(Buffer.from(kept.reveal()).toString())).toEqual({
      version: 2,
      transactions: [{ exclusion: "0a0b", digests: [] }],
      forgetAtMs: 5_000,
    });
    await vault.close();
  });

  test("of an older version whose filing a crash cut short is filed again, and nothing is lost", async () => {
    await leaveOlderRecords([...past.slice(0, 3), request]);
    const half = must(await openRecords(folder, passphrase, identityKey, reader));
    await half.vault.close();
    await asOlder();
    const { vault } = must(await openRecords(folder, passphrase, identityKey, reader));
    expect(await vault.forget(5_000, 10_000)).toBe(4);
    expect(await vault.forget(5_000, 10_000)).toBe(0);
    await vault.close();
  });

  test("is refused when a record of an older version is of no version", async () => {
    await leaveOlderRecords([{ record: request.record, value: text({ version: 9 }) }]);
    await expect(openRecords(folder, passphrase, identityKey, reader)).rejects.toThrow(
      "not readable by this version",
    );
  });
});
