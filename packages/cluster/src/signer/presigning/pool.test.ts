import type { Problem } from "@conclave/custody";
import type { Envelope } from "@conclave/threshold";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { ObservedDigest } from "../../compute/signing/observed-digest.ts";
import type { ComputeTask } from "../../compute/task.ts";
import type { CallId } from "../../control/session-key.ts";
import { afterWrites } from "../../testing/after-writes.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { stockOn } from "../../testing/drive.ts";
import { authoriseTransfer, KEY_ID, keyIdOf, START_MS, transactionOf } from "../../testing/fixtures.ts";
import {
  eventOf,
  livesIn,
  openAlone,
  type SignerInput,
  type TestAsked,
  testLife,
} from "../../testing/signer-input.ts";
import type { SignerEffect } from "../effect.ts";
import {
  CLOCK_SKEW_MS_MAX,
  DISCARD_IDS_MAX,
  PRESIGNATURE_AGE_MS_MAX,
  PRESIGNATURES_PER_SET_MAX,
  PRESIGNINGS_MAX,
  SWEEP_INTERVAL_MS,
  TOMBSTONE_MEMORY_MS,
} from "../limits.ts";
import { SPENDING_KIND } from "../older-store/spending.ts";
import { entriesOf, mapOf, put } from "../records/persistent-map.ts";
import { RECORDS, type StoredRecord } from "../records/record.ts";
import { signerStatus, stepSigner } from "../signer.ts";
import type { ObservedSignable } from "../signing/pooled-presignatures.ts";
import type { SignableWithKey } from "../signing/signing-call.ts";
import type { SignerState } from "../state.ts";
import { listPresignatures } from "./pool-status.ts";

type BeginSigning = TestAsked<"signing">;
type BeginPresigning = TestAsked<"presigning">;
type Stored = StoredRecord["value"];

/** State of one of three signers with two ready presignatures, made with signer 2; each test steps from it. */
const stocked = (() => {
  const cluster = new TestCluster({ seed: "pool", size: 3, threshold: 2, engine: "tiny" });
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

const signing = (change: Partial<BeginSigning> = {}): BeginSigning => ({
  kind: "signing",
  call: callOf("call"),
  session: testSessionId("one"),
  quorum: [1, 2],
  keyId: KEY_ID,
  authorisation: authoriseTransfer(1),
  unsigned: transactionOf(7),
  presignatures: [stocked.id],
  dead: undefined,
  expiresAtMs: stocked.nowMs + 20_000,
  ...change,
});

const refusalIn = (effects: readonly SignerEffect[]): Problem | undefined => {
  for (const effect of effects) {
    if (effect.kind === "report" && effect.report.kind === "refusal") return effect.report.problem;
  }
  return undefined;
};

const stepped = (input: SignerInput, state: SignerState = stocked.state, nowMs = stocked.nowMs) =>
  stepSigner(state, eventOf(input, livesIn(state)), nowMs);

const refusalOf = (input: SignerInput, state?: SignerState, nowMs?: number): string | undefined =>
  refusalIn(stepped(input, state, nowMs).effects)?.code;

const readyOf = (state: SignerState): readonly string[] => [...entriesOf(state.pool.ready)].map(([id]) => id);

const openWith = (records: ReadonlyMap<string, Stored>) =>
  openAlone(
    stocked.state.config,
    [...records].map(([record, value]) => ({ record, value })),
    (record) => records.get(record),
  );

/** The state after peers have confirmed that its store is no older copy. */
const confirmed = (state: SignerState): SignerState => {
  const { confirmedBy } = stocked.state.spending;
  return { ...state, spending: { ...state.spending, confirmedBy } };
};

describe("INV-2 a presignature of the pool", () => {
  test("leaves the pool and is buried with the request's nonce in one synced write, and only then is anything computed", () => {
    const { effects, state } = stepped(signing());
    const [bury, ...rest] = effects;
    expect(bury).toMatchObject({ kind: "batch", erases: [], sync: true });
    const written = bury?.kind === "batch" ? bury.puts.map((put) => put.record.split("/")[0]) : [];
    expect(new Set(written)).toEqual(
      new Set(["session", "spent", "request", "signed-bytes", "latest-bound", "spending"]),
    );
    expect(rest.map((effect) => (effect.kind === "compute" ? effect.task.kind : effect.kind))).toEqual([
      "open-pooled-signing",
    ]);
    expect(readyOf(state)).toEqual([stocked.other]);
  });

  test("P6 is spent with a word to every peer ahead of the partial signature, once, and to none without it", () => {
    const { state } = stepped(signing());
    const [session] = [...state.sessions.values()];
    if (session === undefined) throw new Error("the session is open");
    const partial: Envelope = {
      session: hexToBytes(session.run),
      round: 5,
      kind: 1,
      from: 1,
      to: 0,
      payload: new Uint8Array(32),
      signature: new Uint8Array(64),
    };
    const running = (send: readonly Envelope[]) =>
      ({
        kind: "computed",
        session: session.run,
        result: { kind: "running", stage: "sign/5", send, awaiting: [], phase: 10 },
      }) as const;
    const sent = (effects: readonly SignerEffect[]) =>
      effects.flatMap((effect) => (effect.kind === "send" ? [[effect.to, effect.envelope.kind]] : []));
    const silent = stepped(running([]), state);
    const spoken = stepped(running([partial]), silent.state);
    const again = stepped(running([partial]), spoken.state);
    expect(sent(silent.effects)).toEqual([]);
    expect(sent(spoken.effects)).toEqual([
      [2, SPENDING_KIND],
      [3, SPENDING_KIND],
      [2, 1],
    ]);
    expect(sent(again.effects)).toEqual([[2, 1]]);
  });

  test("is in no record, neither while it waits nor when it is spent: no copy of a store has one", () => {
    const secrets = [...entriesOf(stocked.state.pool.ready)].map(([, { secret }]) =>
      Buffer.from(secret.reveal()).toString("hex"),
    );
    const spent = stepped(signing()).effects.flatMap((effect) =>
      effect.kind === "batch" ? effect.puts : [],
    );
    const values = [...stocked.records.values(), ...spent.map(({ value }) => value)];
    for (const value of values) {
      const text = Buffer.from(value.reveal()).toString();
      for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 64));
    }
    const names = [...stocked.records.keys()].filter((name) => RECORDS.presignature.idOf(name) !== undefined);
    expect(names).toEqual([]);
  });

  test("that was spent is refused for the same digest, and is an alarm that names both for another", () => {
    const state = afterWrites(stepped(signing()));
    const same = stepped(signing({ session: testSessionId("two") }), state);
    expect(refusalIn(same.effects)?.code).toBe("PresignatureSpent");
    const second = { session: testSessionId("three"), authorisation: authoriseTransfer(2) };
    const other = stepped(signing({ ...second, unsigned: transactionOf(8) }), same.state);
    const problem = refusalIn(other.effects);
    expect(problem?.code).toBe("PresignatureReused");
    const { spentOn, asked } = problem?.details ?? {};
    expect(problem?.message).toContain(`${spentOn}`);
    expect(problem?.message).toContain(`${asked}`);
    expect(spentOn).not.toBe(asked);
    expect(signerStatus(other.state).pool).toMatchObject({ consumed: 1, refused: 2, reused: 1, ready: 1 });
  });

  test("stays spent when its session fails, and when the tombstone alone is left", () => {
    const state = afterWrites(stepped(signing()));
    const closed = stepped({ kind: "call-closed", call: callOf("call") }, state);
    expect(refusalOf(signing({ session: testSessionId("two") }), closed.state)).toBe("PresignatureSpent");
    expect(signerStatus(closed.state).pool.reserved).toBe(0);
  });
});

describe("a presignature is refused", () => {
  const other = { keyId: keyIdOf(9), authorisation: authoriseTransfer(1, keyIdOf(9)) };
  const withKey = (): SignerState => {
    const key = stocked.records.get(RECORDS.key.name(KEY_ID));
    if (key === undefined) throw new Error("the signer holds a key");
    const { pool } = stocked.state;
    const records = new Map([...stocked.records, [RECORDS.key.name(keyIdOf(9)), key] as const]);
    return { ...confirmed(openWith(records).state), pool };
  };
  const changed = (by: { readonly epoch?: number; readonly auxiliaryEpoch?: number }): SignerState => {
    const [, ready] = [...entriesOf(stocked.state.pool.ready)].find(([id]) => id === stocked.id) ?? [];
    if (ready === undefined) throw new Error("it is ready");
    const { pool } = stocked.state;
    const altered = put(pool.ready, stocked.id, { ...ready, ...by });
    return { ...stocked.state, pool: { ...pool, ready: altered } };
  };

  test("with another quorum than its own", () => {
    expect(refusalOf(signing({ quorum: [1, 3] }))).toBe("PresignatureMismatch");
  });
  test("for another key", () => {
    expect(refusalOf(signing(other), withKey())).toBe("PresignatureMismatch");
  });
  test("of another epoch of its key, or of the auxiliary info", () => {
    expect(refusalOf(signing(), changed({ epoch: 2 }))).toBe("PresignatureMismatch");
    expect(refusalOf(signing(), changed({ auxiliaryEpoch: 2 }))).toBe("PresignatureMismatch");
  });
  test.each(["ab".repeat(32), "", "__proto__", "x".repeat(10_000)])(
    "that nobody made: %#",
    (presignature) => {
      expect(refusalOf(signing({ presignatures: [presignature] }))).toBe("PresignatureUnknown");
    },
  );
  test("INV-3 INV-8 before anything is reserved, when the request itself is not in order", () => {
    const { effects, state } = stepped(signing({ unsigned: transactionOf(7, "1001") }));
    expect(refusalIn(effects)?.code).toBe("TransactionMismatch");
    expect(effects).toHaveLength(1);
    expect(readyOf(state)).toHaveLength(2);
  });
});

describe("the clock", () => {
  const asked = (nowMs: number) =>
    signing({
      expiresAtMs: nowMs + 20_000,
      authorisation: authoriseTransfer(1, KEY_ID, new Date(nowMs).toISOString()),
    });

  test("makes a presignature too old, and the next sweep burns it", () => {
    const late = stocked.nowMs + PRESIGNATURE_AGE_MS_MAX;
    expect(refusalOf(asked(late), stocked.state, late)).toBe("PresignatureUnknown");
    const { state } = stepped({ kind: "tick" }, stocked.state, late);
    expect(readyOf(state)).toEqual([]);
    expect(signerStatus(state).pool).toMatchObject({ ready: 0, expired: 2 });
  });

  test("that jumps back makes no presignature younger: its age is unknown, and it is burnt", () => {
    const early = START_MS - CLOCK_SKEW_MS_MAX - 1;
    expect(listPresignatures(stocked.state, early).map(({ isUsable }) => isUsable)).toEqual([false, false]);
    expect(refusalOf(asked(early), stocked.state, early)).toBe("PresignatureUnknown");
    const swept = stepped({ kind: "tick" }, stocked.state, early - SWEEP_INTERVAL_MS);
    expect(readyOf(swept.state)).toEqual([]);
    expect(refusalOf(asked(stocked.nowMs), swept.state)).toBe("PresignatureUnknown");
  });

  test("that jumps far ahead and back brings nothing back, and a spent one stays refused", () => {
    const spent = stepped(signing()).state;
    const far = stocked.nowMs + 2 * (PRESIGNATURE_AGE_MS_MAX + TOMBSTONE_MEMORY_MS);
    const ahead = stepped({ kind: "tick" }, spent, far).state;
    const back = stepped({ kind: "tick" }, ahead, stocked.nowMs + SWEEP_INTERVAL_MS).state;
    expect(readyOf(back)).toEqual([]);
    for (const presignature of [stocked.id, stocked.other]) {
      const session = testSessionId(`after/${presignature}`);
      expect(refusalOf(signing({ session, presignatures: [presignature] }), back)).toBe(
        "PresignatureUnknown",
      );
    }
  });
});

describe("at its start a signer", () => {
  test("INV-2 has no presignature, whatever copy of its store it starts from", () => {
    const spent = afterWrites(stepped(signing()));
    const { state, effects } = openWith(stocked.records);
    expect(readyOf(state)).toEqual([]);
    expect(effects.map(({ kind }) => kind)).toEqual(["prepare"]);
    for (const presignature of [stocked.id, stocked.other]) {
      const session = testSessionId(`restored/${presignature}`);
      expect(refusalOf(signing({ session, presignatures: [presignature] }), confirmed(state))).toBe(
        "PresignatureUnknown",
      );
    }
    expect(refusalOf(signing({ session: testSessionId("two") }), spent)).toBe("PresignatureSpent");
  });

  test("works ahead for the auxiliary info that it stored, and for none before", () => {
    const { effects, state } = openWith(stocked.records);
    expect(effects).toEqual([{ kind: "prepare", auxiliary: state.auxiliary?.info }]);
    expect(openWith(new Map()).effects.map(({ kind }) => kind)).toEqual(["batch"]);
  });
});

describe("P6 a signer that may go on from a copy of its memory", () => {
  test("burns its pool, and ends every session", () => {
    const { state } = stepped(signing());
    const { state: resumed, effects } = stepped({ kind: "resumed", life: testLife(testParty(9)) }, state);
    expect(readyOf(resumed)).toEqual([]);
    expect([resumed.sessions.size, resumed.signingCalls.size]).toEqual([0, 0]);
    expect(effects.map(({ kind }) => kind)).toEqual(["report", "drop", "prepare", "send", "send"]);
    expect(signerStatus(resumed).pool).toMatchObject({ ready: 0, reserved: 0, consumed: 1, burnt: 1 });
    const second = signing({ session: testSessionId("two"), presignatures: [stocked.other] });
    expect(refusalOf(second, resumed)).toBe("StoreUnconfirmed");
    expect(refusalOf(second, confirmed(resumed))).toBe("PresignatureUnknown");
  });

  test("makes fresh ones once its peers have confirmed its store", () => {
    const { state } = stepped({ kind: "resumed", life: testLife(testParty(9)) });
    const presigning = {
      kind: "presigning",
      call: callOf("fresh"),
      session: testSessionId("fresh"),
      quorum: [1, 2],
      keyId: KEY_ID,
      expiresAtMs: stocked.nowMs + 20_000,
    } as const;
    expect(refusalOf(presigning, state)).toBe("StoreUnconfirmed");
    expect(refusalOf(presigning, confirmed(state))).toBeUndefined();
  });
});

describe("the room of a pool", () => {
  const presigning = (at: number, change: Partial<BeginPresigning> = {}): BeginPresigning => ({
    kind: "presigning",
    call: callOf(`call-${at}`),
    session: testSessionId(`presigning/${at}`),
    quorum: [1, 2],
    keyId: KEY_ID,
    expiresAtMs: stocked.nowMs + 20_000,
    ...change,
  });

  test("is bounded for the presignatures that are made at once", () => {
    let { state } = stocked;
    for (let at = 0; at < PRESIGNINGS_MAX; at++) ({ state } = stepped(presigning(at), state));
    expect(refusalOf(presigning(PRESIGNINGS_MAX), state)).toBe("TooManySessions");
    expect(refusalOf(signing(), state)).toBeUndefined();
  });

  test("is bounded for each set", () => {
    const [first] = entriesOf(stocked.state.pool.ready);
    if (first === undefined) throw new Error("one is ready");
    const { pool } = stocked.state;
    const copies = Array.from(
      { length: PRESIGNATURES_PER_SET_MAX - 2 },
      (_, at) => [`${at}`, first[1]] as const,
    );
    const ready = { ...mapOf([...entriesOf(pool.ready), ...copies]), size: PRESIGNATURES_PER_SET_MAX };
    const full = { ...stocked.state, pool: { ...pool, ready } };
    expect(refusalOf(presigning(1), full)).toBe("PoolFull");
    expect(refusalOf(presigning(1, { quorum: [1, 3] }), full)).toBeUndefined();
  });

  test("is made by discarding: what is named and ready is burnt, the rest is passed over", () => {
    const ids = [stocked.id, stocked.id, "ab".repeat(32)];
    const { state, effects } = stepped({ kind: "discard-presignatures", call: callOf("call"), ids });
    expect(effects).toMatchObject([
      { kind: "report", report: { kind: "presignatures-discarded", count: 1 } },
    ]);
    expect(refusalOf(signing(), state)).toBe("PresignatureUnknown");
    const many = Array.from({ length: DISCARD_IDS_MAX + 1 }, () => stocked.id);
    expect(refusalOf({ kind: "discard-presignatures", call: callOf("call"), ids: many })).toBe("InvalidBody");
  });

  test("needs no authorisation, but an active key and a quorum that is one", () => {
    expect(refusalOf(presigning(1, { keyId: keyIdOf(9) }))).toBe("KeyUnknown");
    expect(refusalOf(presigning(1, { quorum: [2, 3] }))).toBe("QuorumInvalid");
  });
});

test("P7 a presignature of the pool meets no digest but one that the signer computed from what it read", () => {
  type Pooled = Extract<ComputeTask, { readonly kind: "open-pooled-signing" }>;
  interface CallersDigest {
    readonly from: "caller";
    readonly bytes: Uint8Array;
  }
  expectTypeOf<Pooled["digest"]>().toEqualTypeOf<ObservedDigest>();
  expectTypeOf<ObservedSignable["digest"]>().toEqualTypeOf<ObservedDigest>();
  expectTypeOf<NonNullable<SignableWithKey["digest"]>>().not.toExtend<Pooled["digest"]>();
  expectTypeOf<Uint8Array>().not.toExtend<Pooled["digest"]>();
  expectTypeOf<CallersDigest>().not.toExtend<Pooled["digest"]>();
  const digest = new TextEncoder().encode(JSON.stringify({ digest: "09".repeat(32) }));
  const { state, effects } = stepped(signing({ unsigned: digest }));
  expect(refusalIn(effects)?.code).toBe("TransactionUnreadable");
  expect(readyOf(state)).toHaveLength(2);
});

test("the status tells of each set how many wait and what became of the others", () => {
  const { state } = stepped(signing());
  expect(signerStatus(state).pool).toEqual({
    ready: 1,
    reserved: 1,
    stored: 2,
    consumed: 1,
    burnt: 0,
    expired: 0,
    refused: 0,
    reused: 0,
    rolledBack: 0,
    sets: [
      {
        keyId: KEY_ID,
        signers: [testParty(1), testParty(2)],
        ready: 1,
        reserved: 1,
        stored: 2,
        consumed: 1,
        burnt: 0,
        expired: 0,
      },
    ],
  });
  expect(listPresignatures(state, stocked.nowMs, KEY_ID)).toMatchObject([
    { id: stocked.other, isUsable: true },
  ]);
  expect(listPresignatures(state, stocked.nowMs, keyIdOf(9))).toEqual([]);
});

test("INV-10 a waiting presignature does not print", () => {
  expect(JSON.stringify([...entriesOf(stocked.state.pool.ready)])).toContain("[secret]");
});
