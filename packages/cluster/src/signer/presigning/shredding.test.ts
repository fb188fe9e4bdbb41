import { expect, test } from "vitest";
import { AUXILIARY_SUBJECT } from "../../control/epoch-certificate.ts";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { stockOn } from "../../testing/drive.ts";
import { KEY_ID } from "../../testing/fixtures.ts";
import { certificateBy } from "../../testing/receipts.ts";
import { eventOf, type Told } from "../../testing/told.ts";
import { pendingAuxiliaryOf, withPendingAuxiliary } from "../auxiliary/keep-auxiliary.ts";
import { pendingShareOf, withPendingShare } from "../key-change/next-share.ts";
import { storedKey } from "../records/key-records.ts";
import { entriesOf } from "../records/persistent-map.ts";
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
  return { state, records: new Map(records), id: one.id, other: two.id, nowMs: cluster.world.nowMs() };
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
    (record) => records.get(record),
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
  const group = groupOf({ keyId: KEY_ID, epoch: 1, auxiliaryEpoch: 1 });
  const made = { from: 1, epoch: 2, session: "ab".repeat(32), digest: new Uint8Array(32).fill(5) };
  const switchTo = (subject: string, state: SignerState) => {
    const session = new Uint8Array(32).fill(0xab);
    const certificate = certificateBy(3, { subject, from: 1, to: 2, digest: made.digest, session });
    return stepped({ kind: "switch-epoch", call: callOf("call"), certificate }, state).effects;
  };

  const { auxiliary } = emptied;
  const key = storedKey(emptied, KEY_ID);
  if (key === undefined || auxiliary === undefined) throw new Error("there is a key, and auxiliary info");
  const { parameters, info } = auxiliary;
  const pending = pendingAuxiliaryOf(emptied, { version: 1, parameters, info, ...made });
  const renewed = switchTo(AUXILIARY_SUBJECT, withPendingAuxiliary(emptied, pending));
  expect(renewed).toMatchObject([
    { kind: "batch", shredsEnding: [group.slice(group.lastIndexOf("/"))] }, // of whichever key
    { kind: "prepare" },
    { kind: "report", report: { kind: "switched", epoch: 2 } },
  ]);

  const { scheme, publicKey, chainCode, share } = key;
  const next = pendingShareOf(emptied, KEY_ID, { version: 1, scheme, publicKey, chainCode, share, ...made });
  expect(switchTo(KEY_ID, withPendingShare(emptied, KEY_ID, next))).toMatchObject([
    { kind: "batch", shreds: [group] },
    { kind: "report", report: { kind: "switched", epoch: 2 } },
  ]);
});
