import { testSessionId } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { stockOn } from "../../testing/drive.ts";
import { KEY_ID } from "../../testing/fixtures.ts";
import { eventOf, type Told } from "../../testing/told.ts";
import { entriesOf, lookUp, put } from "../records/persistent-map.ts";
import { RECORDS, type StoredRecord } from "../records/record.ts";
import { openSigner, stepSigner } from "../signer.ts";
import type { SignerState } from "../state.ts";
import { groupOf } from "./pool.ts";

/** One signer of three with two ready presignatures, made with signer 2. */
const stocked = (() => {
  const cluster = new TestCluster({ seed: "shredding", size: 3, threshold: 2, engine: "tiny" });
  const [one, two] = stockOn(cluster, [
    [1, 2],
    [1, 2],
  ]);
  const { state, records } = cluster.node(1);
  if (state === undefined || one === undefined || two === undefined) throw new Error("two were made");
  return { state, records: new Map(records), id: one.id, other: two.id, nowMs: cluster.schedule.now() };
})();

const callOf = (name: string): CallId => {
  const isCall = (text: string): text is CallId => text.length > 0;
  return isCall(name) ? name : callOf("call");
};

const stepped = (told: Told, state: SignerState = stocked.state) =>
  stepSigner(state, eventOf(told), stocked.nowMs);

const openWith = (records: ReadonlyMap<string, StoredRecord["value"]>) =>
  openSigner(
    stocked.state.config,
    [...records].map(([record, value]) => ({ record, value })),
  );

test("a signer shreds an epoch of which nothing is left, so that no copy of the disk gives it back", () => {
  const auxiliary = stocked.state.auxiliary;
  if (auxiliary === undefined) throw new Error("the signer has auxiliary info");
  const renewed = RECORDS.auxiliary.write({ ...auxiliary, epoch: auxiliary.epoch + 1 });
  const { effects } = openWith(new Map([...stocked.records, ["auxiliary/current", renewed]]));
  const shreds = effects.flatMap((effect) => (effect.kind === "batch" ? (effect.shreds ?? []) : []));
  const [group] = [...entriesOf(stocked.state.pool.ready)].map(([, record]) => groupOf(record));
  expect(shreds).toEqual([group]);
  const discarding = { kind: "discard-presignatures", call: callOf("call"), ids: [stocked.id] } as const;
  const left = stepped(discarding).effects.flatMap((effect) =>
    effect.kind === "batch" ? (effect.shreds ?? []) : [],
  );
  expect(left).toEqual([]); // the other one of the epoch is still good
});

test("a signer shreds an epoch that is over though all of it was spent before: a disk keeps copies of that too", () => {
  const ids = [stocked.id, stocked.other];
  const emptied = stepped({ kind: "discard-presignatures", call: callOf("call"), ids }).state;
  const expiresAtMs = stocked.nowMs + 20_000;
  const begin = {
    kind: "auxiliary",
    session: testSessionId("renewal"),
    epoch: 2,
    expiresAtMs,
  } as const;
  const { state } = stepped({ ...begin, call: callOf("renewal") }, emptied);
  const [run] = [...state.sessions.keys()];
  const info = state.auxiliary?.info;
  if (run === undefined || info === undefined) throw new Error("auxiliary generation has begun");
  const result = { kind: "auxiliary", info, epoch: 2, digest: new Uint8Array(32), send: [] } as const;
  const { effects } = stepped({ kind: "computed", session: run, result }, state);
  const shreds = effects.flatMap((effect) => (effect.kind === "batch" ? (effect.shreds ?? []) : []));
  const group = groupOf({ keyId: KEY_ID, epoch: 1, auxiliaryEpoch: 1 });
  expect(shreds).toEqual([group]);

  const key = lookUp(emptied.keys, KEY_ID);
  if (key === undefined) throw new Error("there is a key");
  const { scheme, publicKey, chainCode, share } = key;
  const next = { version: 1, session: "", scheme, epoch: 2, publicKey, chainCode, share } as const;
  const pending = { ...emptied, next: put(emptied.next, KEY_ID, { ...next, digest: new Uint8Array(32) }) };
  const activation = { kind: "activate-key", call: callOf("call"), keyId: KEY_ID, epoch: 2 } as const;
  expect(stepped(activation, pending).effects).toMatchObject([
    { kind: "batch", shreds: [group] },
    { kind: "report" },
  ]);
});
