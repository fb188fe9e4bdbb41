import { Secret } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { configOf, KEY_ID, keyIdOf, provisionedRecords } from "../../testing/fixtures.ts";
import { openAlone } from "../../testing/signer-input.ts";
import { heldKeys } from "../key-holdings.ts";
import { signerStatus } from "../signer.ts";
import { droppingKey, keepingKey, leftInStore, storedKey } from "./key-records.ts";
import { type KeyRecord, RECORDS, type StoredRecord } from "./record.ts";

const config = configOf(testParty(1), 3, 2);
type Stored = Map<string, StoredRecord["value"]>;

const pendingKey: KeyRecord = {
  version: 1,
  scheme: "FROST-Ed25519",
  state: "pending",
  epoch: 1,
  publicKey: new Uint8Array(32).fill(7),
  chainCode: new Uint8Array(32),
  share: new Secret(Uint8Array.of(1, 2, 3)),
};

/** Starts a signer as the shell does: with the store's records except those that stay in it, and carries out all effects. */
const start = (stored: Stored) => {
  const left = leftInStore((name) => stored.get(name));
  const read = [...stored.keys()].filter((name) => !left.some((prefix) => name.startsWith(prefix)));
  const records = read.map((record) => ({ record, value: stored.get(record) ?? expect.fail(record) }));
  const { state, effects } = openAlone(config, records, (name) => stored.get(name));
  for (const effect of effects) if (effect.kind === "batch") write(stored, effect);
  return { state, read, writes: effects.filter(({ kind }) => kind !== "prepare") };
};

const write = (stored: Stored, { puts, erases }: Pick<ReturnType<typeof keepingKey>, "puts" | "erases">) => {
  for (const name of erases) stored.delete(name);
  for (const { record, value } of puts) stored.set(record, value);
};

/** A store of an older version: a key of the fixtures, and this many pending ones. */
const older = (pending: number): Stored => {
  const stored: Stored = new Map(provisionedRecords(3, 2).get(testParty(1)));
  for (let number = 1; number <= pending; number++) {
    stored.set(RECORDS.key.name(keyIdOf(100 + number)), RECORDS.key.write(pendingKey));
  }
  return stored;
};

const namesOf = (stored: Stored, keyId: string): readonly string[] =>
  [...stored.keys()].filter((name) => name.endsWith(`/${keyId}`)).sort();

test("a store of an older version is given what it lacks of keys at its first start, and nothing at the next", () => {
  const stored = older(2);
  const { state, read } = start(stored);
  expect(read.filter((name) => name.startsWith("key/"))).toHaveLength(3);
  expect(signerStatus(state).keyCount).toBe(3);
  expect(namesOf(stored, KEY_ID)).toEqual([`key-facts/${KEY_ID}`, `key/${KEY_ID}`]);
  expect(namesOf(stored, keyIdOf(101))).toHaveLength(3);
  const again = start(stored);
  expect([again.writes, again.state.keyCount]).toEqual([[], 3]);
  expect(heldKeys(again.state, { kind: "named", keyIds: [KEY_ID, keyIdOf(102)] }).keys).toMatchObject([
    { state: "active", epoch: 1 },
    { state: "pending", epoch: 1, publicKey: pendingKey.publicKey },
  ]);
});

test("a crash in the middle of that leaves no part that the next start does not make good", () => {
  const whole = older(4);
  start(whole);
  const written = [...whole].filter(([name]) => !older(4).has(name));
  const tally = RECORDS.keyTally.name("all");
  for (let cut = 0; cut < written.length; cut++) {
    // the tally is in the last write
    const stored = new Map([...older(4), ...written.filter(([name]) => name !== tally).slice(0, cut)]);
    expect(start(stored).state.keyCount).toBe(5);
    expect([...stored.keys()].sort()).toEqual([...whole.keys()].sort());
  }
});

test("a start reads no key once they are counted, and its state is the same with a thousand keys but for their number", () => {
  const stored = older(0);
  start(stored);
  const few = start(stored);
  let { state } = few;
  for (let number = 1; number <= 1_000; number++) {
    const kept = keepingKey(state, keyIdOf(1_000 + number), pendingKey);
    write(stored, kept);
    state = kept.state;
  }
  const many = start(stored);
  expect(many.read).toEqual(few.read);
  expect(many.state).toEqual({ ...few.state, keyCount: 1_001, history: many.state.history });
});

test("the records of a key come and go together, and are counted: kept, active, kept again, dropped", () => {
  const stored = older(0);
  let { state } = start(stored);
  const keyId = keyIdOf(7);
  const seen: unknown[] = [];
  const step = (writes: ReturnType<typeof keepingKey>): void => {
    write(stored, writes);
    ({ state } = writes);
    const fresh = start(stored).state;
    seen.push([namesOf(stored, keyId).map((name) => name.split("/")[0]), fresh.keyCount]);
    expect(fresh.keyCount).toBe(state.keyCount);
  };
  step(keepingKey(state, keyId, pendingKey));
  step(keepingKey(state, keyId, { ...pendingKey, state: "active" }));
  step(keepingKey(state, keyId, { ...pendingKey, state: "active", epoch: 2 }));
  expect(storedKey(state, keyId)?.epoch).toBe(2);
  step(droppingKey(state, keyId));
  expect(seen).toEqual([
    [["key-facts", "key", "pending-key"], 2],
    [["key-facts", "key"], 2],
    [["key-facts", "key"], 2],
    [[], 1],
  ]);
});
