import { Secret } from "@conclave/threshold";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { TestCluster } from "../../testing/cluster.ts";
import {
  authoriseTransfer,
  configOf,
  KEY_ID,
  provisionedRecords,
  requestIdOf,
  START_MS,
  transactionOf,
} from "../../testing/fixtures.ts";
import { openAlone } from "../../testing/signer-input.ts";
import { FORGOTTEN_PER_SWEEP_MS, REQUEST_AGE_MS_MAX, SWEEP_INTERVAL_MS } from "../limits.ts";
import type { ReadRecord } from "../records/history.ts";
import { RECORDS, type StoredRecord } from "../records/record.ts";
import { stepSigner } from "../signer.ts";
import type { SignerState } from "../state.ts";
import { authorisedSigning } from "./authorise.ts";
import { forgetPast, whyRequestForgotten } from "./forgotten.ts";

const DAY_MS = 24 * 60 * 60_000;
const PAST = 3_000;

/** Session ids, tombstones and bindings, all due to be forgotten. */
const pastOf = (count: number): readonly StoredRecord[] =>
  Array.from({ length: count }, (_, at) => {
    const id = bytesToHex(testSessionId(`past/${at}`));
    return [
      { record: RECORDS.session.name(id), value: RECORDS.session.write({ version: 1, forgetAtMs: 1 }) },
      {
        record: RECORDS.request.name(requestIdOf(at)),
        value: RECORDS.request.write({ version: 2, transactions: [], forgetAtMs: 1 }),
      },
    ];
  }).flat();

const live: readonly StoredRecord[] = [...(provisionedRecords(3, 2).get(testParty(1)) ?? [])].map(
  ([record, value]) => ({ record, value }),
);

describe("a record that a signer has to forget", () => {
  test("stands in front of nothing: a tick asks for no synced write and names no record, however many are due", () => {
    const opened = openAlone(configOf(testParty(1), 3, 2), [...live, ...pastOf(PAST)], () => undefined);
    const state = { ...opened.state, authorisedAtMs: START_MS };
    const { effects } = stepSigner(state, { kind: "tick" }, START_MS);
    const waitedFor = effects.filter(
      (effect) =>
        effect.kind === "store" || effect.kind === "erase" || (effect.kind === "batch" && effect.sync),
    );
    expect(waitedFor).toEqual([]);
    const erased = effects.flatMap((effect) => (effect.kind === "batch" ? effect.erases : []));
    expect(erased).toEqual([]);
    expect(effects.filter(({ kind }) => kind === "forget")).toEqual([{ kind: "forget", untilMs: START_MS }]);
  });

  test("is not in memory, and no start reads it: a signer with a past is the same value as one without", () => {
    const config = configOf(testParty(1), 3, 2);
    const read: string[] = [];
    const history: ReadRecord = (record) => {
      read.push(record);
      return undefined;
    };
    const [fresh, old] = [[], pastOf(PAST)].map((past) => openAlone(config, [...live, ...past], history));
    expect(old).toEqual(fresh);
    expect(read).toEqual([]);
  });
});

/** The answers of a quorum to a command to sign a transaction of one request, dated at the start. */
const signAll = (cluster: TestCluster, nonce: number): readonly (string | undefined)[] => {
  const nowMs = cluster.world.nowMs();
  const calls = [1, 2].map((signer) =>
    cluster.call(signer, (call) => ({
      kind: "signing",
      call,
      session: testSessionId(`${nonce}/${nowMs}`),
      quorum: [1, 2],
      keyId: KEY_ID,
      authorisation: authoriseTransfer(1),
      unsigned: transactionOf(nonce),
      presignatures: [],
      dead: undefined,
      expiresAtMs: nowMs + 20_000,
    })),
  );
  cluster.rest(500);
  return calls.map(({ heard }) => wordOf(heard.at(-1)));
};

const wordOf = (word: SessionReport | undefined): string | undefined =>
  word?.kind === "refusal" ? word.problem.code : word?.kind;

describe("INV-4 signing for a request", () => {
  test("costs a lookup for each id that the command names, whatever else is in the store", () => {
    const cluster = new TestCluster({ seed: "lookups", size: 3, threshold: 2, engine: "tiny" });
    const node = cluster.node(1);
    for (const { record, value } of pastOf(PAST)) node.records.set(record, value);
    const read: string[] = [];
    const state = node.state ?? expect.fail("the signer lives");
    const history: ReadRecord = (record) => {
      read.push(record.split("/")[0] ?? "");
      return state.history(record);
    };
    const call = cluster.call(1, (id) => ({ kind: "discard-key", call: id, keyId: KEY_ID })).call;
    const command = {
      kind: "signing",
      quorum: [testParty(1), testParty(2)],
      keyId: KEY_ID,
      authorisation: authoriseTransfer(1),
      unsigned: transactionOf(7),
      presignatures: [],
      dead: undefined,
      expiresAtMs: START_MS + 20_000,
    } as const;
    const begin = {
      kind: "begin",
      call,
      session: testSessionId("lookups"),
      lives: cluster.lives,
      command,
    } as const;
    expect(stepSigner({ ...state, history }, begin, START_MS).effects.length).toBeGreaterThan(0);
    expect(read).toEqual(["session", "tombstone", "key", "request"]);
  });

  test("stays out of reach when clocks of signers and authority stood ahead for long, all was forgotten, and they went back", () => {
    const cluster = new TestCluster({ seed: "clock", size: 3, threshold: 2, engine: "tiny" });
    expect(signAll(cluster, 7)).toEqual(["signed", "signed"]);
    cluster.rest(SWEEP_INTERVAL_MS);
    const aheadMs = START_MS + REQUEST_AGE_MS_MAX + DAY_MS;
    for (const node of cluster.nodes.values()) {
      const before = node.state ?? expect.fail("the signer lives");
      const forgotten = { ...before.forgotten, toMs: aheadMs - FORGOTTEN_PER_SWEEP_MS };
      const ahead = stepSigner({ ...before, forgotten, authorisedAtMs: aheadMs }, { kind: "tick" }, aheadMs);
      expect(ahead.effects).toContainEqual({ kind: "forget", untilMs: aheadMs });
      node.kill();
      for (const effect of ahead.effects) {
        if (effect.kind !== "batch") continue;
        for (const { record, value } of effect.puts) node.records.set(record, value);
      }
      node.records.delete(RECORDS.request.name(requestIdOf(1)));
      node.start();
    }
    const words = signAll(cluster, 8);
    expect(words.includes("signed")).toBe(false);
    expect(words).toEqual(["SessionReused", "SessionReused"]);
    const asked = authorisedSigning(configOf(testParty(1), 3, 2), authoriseTransfer(1), START_MS);
    const { state } = cluster.node(1);
    if (!asked.ok || state === undefined) expect.fail("it is authorised, and the signer lives");
    expect(whyRequestForgotten(state, asked.value)?.code).toBe("AuthorisationInvalid");
  });

  test("is forgotten by no clock of a signer alone, and a sweep forgets no more than some minutes", () => {
    const { state } = openAlone(configOf(testParty(1), 3, 2), live, () => undefined);
    const sweptTo = (change: Partial<SignerState>, nowMs: number) =>
      forgetPast({ ...state, ...change }, nowMs).effects.flatMap((effect) =>
        effect.kind === "forget" ? [effect.untilMs] : [],
      );
    const mark = (toMs: number) => ({ forgotten: { ...state.forgotten, toMs } });
    const later = START_MS + 100 * DAY_MS;
    expect(sweptTo({}, later)).toEqual([]);
    expect(sweptTo({ authorisedAtMs: START_MS }, later)).toEqual([START_MS]);
    expect(sweptTo({ ...mark(START_MS), authorisedAtMs: later }, later)).toEqual([
      START_MS + FORGOTTEN_PER_SWEEP_MS,
    ]);
    expect(sweptTo({ ...mark(START_MS), authorisedAtMs: later }, START_MS + 1)).toEqual([START_MS + 1]);
    // the mark does not go back
    const back = forgetPast({ ...state, ...mark(later), authorisedAtMs: START_MS }, START_MS).state;
    expect(back.forgotten.toMs).toBe(later);
  });

  test("no record that this version did not write is taken for the mark of what is forgotten", () => {
    const record = RECORDS.forgotten.name("requests");
    const value = new Secret(new TextEncoder().encode('{"version":2,"toMs":1}'));
    expect(() => RECORDS.forgotten.read({ record, value })).toThrow("not readable");
  });
});
