import { type Envelope, type PartyIndex, signEd25519 } from "@conclave/threshold";
import { insecurePartySecrets, testParty, testSessionId } from "@conclave/threshold/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TestCluster } from "../../testing/cluster.ts";
import { signOn, stockOn } from "../../testing/drive.ts";
import { authoriseTransfer, KEY_ID, transactionOf } from "../../testing/fixtures.ts";
import { askedAt } from "../../testing/roster/sign-among.ts";
import type { SignerEffect } from "../effect.ts";
import { ASK_SPENDING_MS } from "../limits.ts";
import { RECORDS } from "../records/record.ts";
import { signerStatus, stepSigner } from "../signer.ts";
import type { SignerState } from "../state.ts";
import { spendingCountBytes } from "./signed-count.ts";
import { SPENDING_KIND } from "./spending.ts";

const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const [spent, asks, remembers] = [1, 2, 3];
const COUNT_MAX = 2 ** 48 - 1;
const UNSIGNED = new Uint8Array(64);

const signed = (signer: PartyIndex, count: number, clusterId = "test", by = signer): Uint8Array =>
  signEd25519(spendingCountBytes(clusterId, signer, count), insecurePartySecrets(by).identity);

const six = (value: number): readonly number[] =>
  [5, 4, 3, 2, 1, 0].map((at) => Math.floor(value / 256 ** at) % 256);

const wordsOf = (says = 0, count = 0, askedAtMs = 0): readonly number[] => [
  says,
  ...six(count),
  ...six(askedAtMs),
];

const envelopeOf = (from: PartyIndex, payload: readonly number[], signature: Uint8Array): Envelope => {
  const head = { session: new Uint8Array(32), round: 0, kind: SPENDING_KIND, from, to: 0 };
  return { ...head, payload: Uint8Array.from(payload), signature };
};

const heardBy = (
  state: SignerState,
  from: PartyIndex,
  payload: readonly number[],
  signature: Uint8Array = UNSIGNED,
) => stepSigner(state, { kind: "envelope", from, envelope: envelopeOf(from, payload, signature) }, 1);

const open = (): TestCluster => new TestCluster({ seed: "lies", size: 3, threshold: 2, engine: "tiny" });

const stateOf = (cluster: TestCluster, signer = 1): SignerState =>
  cluster.node(signer).state ?? expect.fail("the signer lives");

/** Signer 1 with a ready presignature, after it has spent some. */
const stocked = (spendings = 1) => {
  const cluster = open();
  for (let number = 1; number <= spendings; number++) {
    const presignatures = stockOn(cluster, [[1, 2]]);
    const outcome = signOn(cluster, { isTiny: true, request: number, seed: `${number}`, presignatures });
    cluster.until(() => outcome.isClosed);
  }
  stockOn(cluster, [[1, 2]]);
  cluster.rest(2 * ASK_SPENDING_MS);
  const state = stateOf(cluster);
  expect([state.spending.own, signerStatus(state).pool.ready]).toEqual([spendings, 1]);
  return { cluster, state };
};

const alarms = (effects: readonly SignerEffect[]) =>
  effects.flatMap((effect) => (effect.kind === "alarm" ? [effect.alarm] : []));

describe("P6 a peer that remembers a higher count than the signer has", () => {
  test("empties no stock with any count up to 2^48-1 that the signer never signed, however often it says so", () => {
    const { cluster, state } = stocked();
    for (const count of [2, 2 ** 47, COUNT_MAX, COUNT_MAX]) {
      const payload = wordsOf(remembers, count);
      const envelope = envelopeOf(TWO, payload, UNSIGNED);
      cluster.node(1).handle({ kind: "envelope", from: TWO, envelope });
      expect(heardBy(state, TWO, payload)).toEqual({ state, effects: [] });
    }
    cluster.rest(2 * ASK_SPENDING_MS);
    expect(signerStatus(stateOf(cluster)).pool).toMatchObject({ ready: 1, burnt: 0, rolledBack: 0 });
    const outcome = signOn(cluster, { isTiny: true, request: 9, seed: "after" });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toBeDefined();
  });

  test.each<readonly [string, () => Uint8Array]>([
    ["its own signature on the count", () => signed(TWO, 7)],
    ["its own signature in the signer's name", () => signed(ONE, 7, "test", TWO)],
    ["the signer's signature on a lower count", () => signed(ONE, 1)],
    ["the signer's signature of another cluster", () => signed(ONE, 7, "another")],
    [
      "the signer's signature with one bit changed",
      () => signed(ONE, 7).with(9, (signed(ONE, 7)[9] ?? 0) ^ 1),
    ],
    ["a signature of no bytes", () => new Uint8Array(0)],
    ["a signature that is too long", () => new Uint8Array([...signed(ONE, 7), 0])],
  ])("changes nothing with %s", (_, signature) => {
    const { state } = stocked();
    expect(heardBy(state, TWO, wordsOf(remembers, 7), signature())).toEqual({ state, effects: [] });
  });

  test("changes nothing with what the signer signed itself, on a count that it still has", () => {
    const { state } = stocked(2);
    for (const count of [0, 1, 2]) {
      const replayed = heardBy(state, TWO, wordsOf(remembers, count), signed(ONE, count));
      expect(replayed).toEqual({ state, effects: [] });
    }
  });

  test("burns the stock with the signer's own signature, once, and the alarm holds what proves it", () => {
    const { state } = stocked();
    const shown = heardBy(state, THREE, wordsOf(remembers, 5), signed(ONE, 5));
    expect(signerStatus(shown.state).pool).toMatchObject({ ready: 0, burnt: 1, rolledBack: 1 });
    expect(shown.state.spending.own).toBe(5);
    expect(shown.effects).toMatchObject([{ kind: "batch", sync: true }, { kind: "alarm" }]);
    expect(alarms(shown.effects)).toEqual([
      { shownBy: 3, held: 1, signed: { count: 5, signature: signed(ONE, 5) } },
    ]);
    const again = heardBy(shown.state, TWO, wordsOf(remembers, 5), signed(ONE, 5));
    expect(again).toEqual({ state: shown.state, effects: [] });
  });

  test("INV-4 ends a session that has not released anything with the signer's own signature", () => {
    const cluster = open();
    const authorisation = askedAt(cluster, authoriseTransfer(5));
    const expiresAtMs = cluster.world.nowMs() + 20_000;
    const calls = [1, 2].map((signer) =>
      cluster.call(signer, (call) => ({
        kind: "signing",
        call,
        session: testSessionId("found"),
        quorum: [1, 2],
        keyId: KEY_ID,
        authorisation,
        unsigned: transactionOf(5),
        presignatures: [],
        dead: undefined,
        expiresAtMs,
      })),
    );
    cluster.until(() => stateOf(cluster).sessions.size > 0);
    cluster.node(1).handle({
      kind: "envelope",
      from: THREE,
      envelope: envelopeOf(THREE, wordsOf(remembers, 9), signed(ONE, 9)),
    });
    cluster.rest(2_000);
    const [one, two] = calls.map(({ heard }) => heard.at(-1));
    expect(one).toMatchObject({
      kind: "failure",
      reason: "the signer's store turned out to be an older copy",
    });
    expect(two?.kind).not.toBe("signed");
  });

  test("confirms nothing with an unsigned higher count", () => {
    const { cluster } = stocked();
    cluster.wire = (transit) => {
      const { envelope, from } = transit;
      const isAnswer = envelope.kind === SPENDING_KIND && envelope.payload[0] === remembers && from === 2;
      if (!isAnswer) return [transit];
      const payload = Uint8Array.from([remembers, ...six(COUNT_MAX), ...envelope.payload.subarray(7)]);
      return [{ ...transit, envelope: { ...envelope, payload } }];
    };
    cluster.kill(1);
    cluster.restart(1);
    cluster.rest(3 * ASK_SPENDING_MS);
    expect([...stateOf(cluster).spending.confirmedBy]).toEqual([3]);
    expect(signerStatus(stateOf(cluster)).pool.rolledBack).toBe(0);
  });
});

describe("a peer's word on its own spending", () => {
  test("changes nothing when it makes no sense", () => {
    const { state } = stocked();
    const odd = [[], [9], [spent, 0], wordsOf(9, 1, 1), [...wordsOf(spent, 1, 1), 0]];
    for (const payload of odd) {
      expect(heardBy(state, TWO, payload, signed(TWO, 1))).toEqual({ state, effects: [] });
    }
  });

  test.each<readonly [string, () => Uint8Array]>([
    ["no signature, as an older version says it", () => UNSIGNED],
    ["another signer's signature", () => signed(THREE, 7)],
    ["a signature on another count", () => signed(TWO, 8)],
    ["a signature of another cluster", () => signed(TWO, 7, "another")],
  ])("is not heard with %s, and not answered", (_, signature) => {
    const state = stateOf(open());
    for (const says of [spent, asks]) {
      expect(heardBy(state, TWO, wordsOf(says, 7, 9), signature())).toEqual({ state, effects: [] });
    }
  });

  test("is kept with its signature when the count is higher, and shown when a lower one is reported", () => {
    const first = heardBy(stateOf(open()), TWO, wordsOf(spent, 7), signed(TWO, 7));
    const [kept] = first.effects;
    expect(first.effects).toMatchObject([{ kind: "batch", puts: [{ record: "spending/2" }], sync: false }]);
    const put = kept?.kind === "batch" ? kept.puts[0] : undefined;
    expect(RECORDS.spending.read(put ?? expect.fail("it is kept"))).toEqual({
      version: 2,
      count: 7,
      signature: signed(TWO, 7),
    });
    expect(heardBy(first.state, TWO, wordsOf(spent, 7), signed(TWO, 7)).effects).toEqual([]);
    const answers = (step: { readonly effects: readonly SignerEffect[] }) =>
      step.effects.map((effect) => effect.kind === "send" && [effect.to, effect.envelope]);
    const shown = { ...envelopeOf(ONE, wordsOf(remembers, 7), signed(TWO, 7)), to: 2 };
    expect(answers(heardBy(first.state, TWO, wordsOf(spent, 5), signed(TWO, 5)))).toEqual([
      [2, expect.objectContaining({ payload: shown.payload, signature: shown.signature })],
    ]);
    const asked = heardBy(first.state, TWO, wordsOf(asks, 7, 99), signed(TWO, 7));
    expect(asked.effects).toMatchObject([{ kind: "send", to: 2 }]);
  });

  test("confirms nothing when it answers no question of this life", () => {
    const { spending, ...opened } = stateOf(open());
    const asking = { ...opened, spending: { ...spending, confirmedBy: new Set<PartyIndex>() } };
    const { state } = heardBy(asking, TWO, wordsOf(remembers, 0, 12_345));
    expect(state.spending.confirmedBy.size).toBe(0);
    expect(heardBy(state, TWO, wordsOf(remembers)).state.spending.confirmedBy.size).toBe(0);
  });

  test("does nothing whatever bytes it is, but for a count that its signer signed", () => {
    const { state } = stocked();
    const says = fc.constantFrom(spent, asks, remembers);
    const words = fc
      .tuple(says, fc.nat({ max: COUNT_MAX }), fc.nat())
      .map(([kind, count, at]) => wordsOf(kind, count + 2, at));
    const any = fc.array(fc.nat(255), { maxLength: 40 });
    const signature = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.constantFrom(signed(ONE, 1), signed(TWO, 1), UNSIGNED),
    );
    fc.assert(
      fc.property(fc.oneof(words, any), signature, (payload, by) => {
        const before = new Map(state.spending.peers).set(TWO, { count: 1, signature: signed(TWO, 1) });
        const known = { ...state, spending: { ...state.spending, peers: before } };
        const step = heardBy(known, TWO, payload, by);
        expect(step.state).toEqual(known);
        expect(step.effects.filter(({ kind }) => kind !== "send")).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("counts that an older version stored, unsigned", () => {
  const legacy = (count: number) => RECORDS.spending.write({ version: 1, count });

  /** Signers 2 and 3 remember a count of signer 1 that it never signed; its own store has another count. */
  const upgraded = (own: number, reported: number) => {
    const { cluster } = stocked();
    cluster.kill(1, 2, 3);
    const name = RECORDS.spending.name("1");
    for (const [signer, count] of [
      [1, own],
      [2, reported],
      [3, reported],
    ] as const) {
      const { records } = cluster.node(signer);
      cluster.node(signer).restore(new Map(records).set(name, legacy(count)));
    }
    cluster.restart(1, 2, 3);
    cluster.rest(3 * ASK_SPENDING_MS);
    return cluster;
  };

  test("are read, and signed afresh at the start: peers soon show what is signed", () => {
    const cluster = upgraded(40, 40);
    expect(signerStatus(stateOf(cluster)).pool.rolledBack).toBe(0);
    expect([...stateOf(cluster).spending.confirmedBy].sort()).toEqual([2, 3]);
    for (const peer of [2, 3]) {
      expect(stateOf(cluster, peer).spending.peers.get(ONE)).toEqual({
        count: 40,
        signature: signed(ONE, 40),
      });
    }
  });

  test("burn nothing when they are higher, and give way to what the signer signs", () => {
    const cluster = upgraded(40, 50);
    expect(signerStatus(stateOf(cluster)).pool.rolledBack).toBe(0);
    expect(stateOf(cluster).spending.confirmedBy.size).toBe(2);
  });

  test("are sent at a start even when no presignature waits for an answer", () => {
    const cluster = open();
    cluster.kill(1);
    const records = new Map(cluster.node(1).records).set(RECORDS.spending.name("1"), legacy(3));
    cluster.node(1).restore(records);
    cluster.restart(1);
    cluster.rest(ASK_SPENDING_MS);
    expect(stateOf(cluster, 2).spending.peers.get(ONE)).toEqual({ count: 3, signature: signed(ONE, 3) });
  });
});
