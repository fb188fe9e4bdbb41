import { SIGNABLES_PER_SESSION_MAX } from "@conclave/custody";
import { ENVELOPE_KIND, type Envelope, FROST_MESSAGE_BYTES_MAX, SIGNING_ROUND } from "@conclave/threshold";
import { testSessionId } from "@conclave/threshold/testing";
import { numberToBytesBE } from "@noble/curves/utils.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import type { CallId } from "./control/session-key.ts";
import { inventoryOf, type ReadyPresignature } from "./coordinator/presigning/inventory.ts";
import { SESSIONS_MAX } from "./signer/limits.ts";
import { entriesOf } from "./signer/records/persistent-map.ts";
import { RECORDS } from "./signer/records/record.ts";
import { cheating } from "./testing/cheats.ts";
import type { TestCluster } from "./testing/cluster.ts";
import { crashEverywhere, type Death, reviving } from "./testing/crashes.ts";
import { listingsOf, stockOn } from "./testing/drive.ts";
import { KEY_ID, keyIdOf, type Part, requestIdOf, severalOf } from "./testing/fixtures.ts";
import { FROST_KEYS, frostRecords } from "./testing/frost-records.ts";
import { authoriseSeveral, PARTS, recordsOf, severalCluster, signSeveralOn } from "./testing/several.ts";
import type { TestAsked } from "./testing/signer-input.ts";

const [EDWARDS] = FROST_KEYS;

const asking =
  (cluster: TestCluster, change: Partial<TestAsked<"signing">> = {}) =>
  (call: CallId): TestAsked<"signing"> => ({
    kind: "signing",
    call,
    session: testSessionId("several"),
    quorum: [1, 2],
    keyId: KEY_ID,
    authorisation: authoriseSeveral(),
    unsigned: severalOf(7, PARTS),
    presignatures: [],
    dead: undefined,
    expiresAtMs: cluster.world.nowMs() + 20_000,
    ...change,
  });

/** Sends signers 1 and 2 the same command. */
const askBoth = (cluster: TestCluster, change: Partial<TestAsked<"signing">> = {}) => {
  const expiresAtMs = cluster.world.nowMs() + 20_000;
  return [1, 2].map((signer) => cluster.call(signer, asking(cluster, { expiresAtMs, ...change })));
};

const isLast = (kind: string): boolean => kind !== "progress";

/** Whether an envelope belongs to a FROST session, according to signer 1. */
const isOfFrost = (cluster: TestCluster, { session }: Envelope): boolean => {
  const run = bytesToHex(session);
  const sessions = [...(cluster.node(1).state?.sessions.values() ?? [])];
  const purpose = sessions.find((each) => each.run === run)?.purpose;
  return purpose?.protocol === "signing" && purpose.scheme !== "CGGMP24";
};

/** Expects that every call got one final report without signatures, and that no signer keeps anything of it. */
const expectNothing = (cluster: TestCluster, calls: ReturnType<typeof askBoth>): void => {
  for (const { heard } of calls) {
    expect(heard.filter(({ kind }) => isLast(kind))).toHaveLength(1);
    expect(heard.map(({ kind }) => kind)).not.toContain("signed");
  }
  expectIdle(cluster);
};

const expectIdle = (cluster: TestCluster): void => {
  for (const { state } of cluster.nodes.values()) {
    expect([state?.sessions.size, state?.signingCalls.size]).toEqual([0, 0]);
  }
};

const readyAt = (cluster: TestCluster, signer: number): number =>
  [...entriesOf(cluster.node(signer).state?.pool.ready ?? expect.fail("it lives"))].length;

const refusal = (code: string) => [{ kind: "refusal", problem: { code } }];

describe("a transaction of several things to sign, with real cryptography", () => {
  test("is signed with a presignature of the pool for each ECDSA signable, and all of them are gone everywhere", () => {
    const cluster = severalCluster({ seed: "several pooled" });
    const presignatures = stockOn(cluster, [
      [1, 3],
      [1, 3],
    ]);
    const before = cluster.sent.length;
    const outcome = signSeveralOn(cluster, { presignatures });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toMatchObject({
      attempts: 1,
      quorum: [1, 3],
      path: { kind: "pooled", presignatures: presignatures.map(({ id }) => id) },
    });
    expect(outcome.result?.signatures.map(({ scheme }) => scheme)).toEqual(PARTS.map(({ scheme }) => scheme));
    const sent = cluster.sent.slice(before);
    expect(sent.filter(({ round }) => round === SIGNING_ROUND)).toHaveLength(2 * 2);
    expect(inventoryOf(listingsOf(cluster), cluster.world.nowMs())).toEqual([]);
    expectIdle(cluster);
  });

  test("is signed without the pool, and with too few presignatures in it, which stay", () => {
    const cluster = severalCluster({ seed: "several" });
    const presignatures = stockOn(cluster, [[1, 2]]);
    const outcome = signSeveralOn(cluster, { presignatures });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toMatchObject({ attempts: 1, path: { kind: "interactive" } });
    expect(outcome.result?.signatures).toHaveLength(3);
    expect(inventoryOf(listingsOf(cluster), cluster.world.nowMs())).toHaveLength(1);
    expectIdle(cluster);
  });

  test("may be of FROST alone", () => {
    const cluster = severalCluster({ seed: "several frost" });
    const parts: readonly Part[] = ["one", "two"].map((text) => ({ scheme: "FROST-Ed25519", text }));
    cluster.ledger.expect(utf8ToBytes("one"), requestIdOf(1)); // a transaction is bound, whatever scheme signs it
    const outcome = signSeveralOn(cluster, { parts });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toMatchObject({ attempts: 1, path: { kind: "interactive" } });
    const other = askBoth(cluster, { unsigned: severalOf(8, parts) });
    cluster.rest(100);
    for (const { heard } of other) expect(heard).toMatchObject(refusal("TransactionNotExcluding"));
  });

  test("INV-7 is signed without a signer whose partial signature of one part is wrong: it is named", () => {
    const cluster = severalCluster({ seed: "several sigma" });
    const presignatures = stockOn(cluster, [
      [1, 2],
      [1, 2],
    ]);
    let lies = 0;
    const lie = cheating(2, ({ round }) => round === SIGNING_ROUND && lies++ === 0);
    // the cheat receives no partial signature, so it has no signature to report before the other reports the cheat
    cluster.wire = (transit) =>
      transit.to === 2 && transit.envelope.round >= SIGNING_ROUND ? [] : lie(transit);
    const outcome = signSeveralOn(cluster, { presignatures });
    cluster.until(() => outcome.isClosed);
    expect(outcome.faults.map(({ verdict }) => verdict.culprit)).toEqual([2]);
    expect(outcome.faults[0]?.evidence.messages).not.toHaveLength(0);
    expect(outcome.result).toMatchObject({ attempts: 2, quorum: [1, 3] });
    expect(outcome.result?.signatures).toHaveLength(3);
  });
});

describe("a transaction of several things is signed wholly or not at all:", () => {
  test.each(["FROST part", "ECDSA parts"])("a peer silent in its %s", (name) => {
    const cluster = severalCluster({ seed: name, engine: "tiny" });
    const calls = askBoth(cluster);
    cluster.wire = (transit) =>
      isOfFrost(cluster, transit.envelope) === (name === "FROST part") ? [] : [transit];
    cluster.rest(25_000);
    expectNothing(cluster, calls);
    expect(calls[0]?.heard.at(-1)).toMatchObject({ kind: "failure", silent: [2] });
    expect(calls[1]?.heard.at(-1)).toMatchObject({ kind: "failure", silent: [1] });
  });

  test("a peer that never came", () => {
    const cluster = severalCluster({ seed: "never came", engine: "tiny" });
    const { heard } = cluster.call(1, asking(cluster));
    cluster.rest(25_000);
    expect(heard.filter(({ kind }) => isLast(kind))).toMatchObject([{ kind: "failure", silent: [2] }]);
    expectIdle(cluster);
  });

  test("INV-7 a peer that cheats in one part is named, and all parts end", () => {
    const cluster = severalCluster({ seed: "cheat in one" });
    const share = (): Uint8Array => numberToBytesBE(5n, 32);
    const isShare = (envelope: Envelope): boolean => envelope.round === 2 && isOfFrost(cluster, envelope);
    const lie = cheating(
      2,
      (envelope) => envelope.kind === ENVELOPE_KIND.broadcast && isShare(envelope),
      share,
    );
    // the cheat receives no share, so it has no signature to report before the other names it
    cluster.wire = (transit) => (transit.to === 2 && isShare(transit.envelope) ? [] : lie(transit));
    const calls = askBoth(cluster);
    cluster.rest(25_000);
    expect(calls[0]?.heard.at(-1)).toMatchObject({ kind: "fault", evidence: { accused: 2 } });
    expectNothing(cluster, calls);
  });

  test("a compute host that dies with all parts", () => {
    const cluster = severalCluster({ seed: "host", engine: "tiny" });
    const { heard } = cluster.call(1, asking(cluster));
    cluster.rest(50);
    const node = cluster.node(1);
    const runs = [...(node.state?.sessions.keys() ?? [])];
    expect(runs).toHaveLength(3);
    node.handle({ kind: "host-lost", sessions: runs });
    cluster.rest(50);
    expect(heard.filter(({ kind }) => isLast(kind))).toEqual([
      { kind: "failure", reason: "the compute host stopped", silent: [] },
    ]);
    expectIdle(cluster);
  });

  test("a caller that goes away", () => {
    const cluster = severalCluster({ seed: "away", engine: "tiny" });
    const { call } = cluster.call(1, asking(cluster));
    cluster.rest(50);
    cluster.node(1).handle({ kind: "call-closed", call });
    expectIdle(cluster);
  });

  test.each<readonly [string, string, (pool: readonly ReadyPresignature[]) => readonly string[]]>([
    ["a presignature that nobody made", "PresignatureUnknown", ([one]) => [one?.id ?? "", "ab".repeat(32)]],
    [
      "a presignature of another quorum",
      "PresignatureMismatch",
      ([one, , other]) => [one?.id ?? "", other?.id ?? ""],
    ],
    ["INV-2 one presignature for two", "InvalidBody", ([one]) => [one?.id ?? "", one?.id ?? ""]],
    ["one presignature too few", "InvalidBody", ([one]) => [one?.id ?? ""]],
    ["one presignature too many", "InvalidBody", (pool) => pool.map(({ id }) => id)],
  ])("with %s: nothing begins, and none is spent", (_, code, chosen) => {
    const cluster = severalCluster({ seed: "presignatures", engine: "tiny" });
    const pool = stockOn(cluster, [
      [1, 2],
      [1, 2],
      [1, 3],
    ]);
    const before = readyAt(cluster, 1);
    const { heard } = cluster.call(1, asking(cluster, { presignatures: chosen(pool) }));
    cluster.rest(50);
    expect(heard).toMatchObject(refusal(code));
    expect(readyAt(cluster, 1)).toBe(before);
    expect(cluster.node(1).records.has(RECORDS.request.name(requestIdOf(1)))).toBe(false);
    expectIdle(cluster);
  });

  test("INV-3 with a key that the signer does not hold, with none of a part's scheme, and with two of one scheme", () => {
    const records = new Map(
      [...frostRecords(3, 2)].map(([party, own]) => {
        const key = own.get(RECORDS.key.name(EDWARDS.keyId)) ?? expect.fail("it holds the key");
        return [party, new Map([...own, [RECORDS.key.name(keyIdOf(31)), key]])] as const;
      }),
    );
    const cluster = severalCluster({ seed: "keys", engine: "tiny", records });
    const answer = (cosigners: readonly string[]) => {
      const { heard } = cluster.call(1, asking(cluster, { authorisation: authoriseSeveral(1, cosigners) }));
      cluster.rest(50);
      return heard;
    };
    expect(answer([keyIdOf(99)])).toMatchObject(refusal("KeyUnknown"));
    expect(answer([EDWARDS.keyId, keyIdOf(99)])).toMatchObject(refusal("KeyUnknown"));
    expect(answer([])).toMatchObject(refusal("KeySchemeMismatch"));
    expect(answer([FROST_KEYS[1].keyId])).toMatchObject(refusal("KeySchemeMismatch"));
    expect(answer([EDWARDS.keyId, keyIdOf(31)])).toMatchObject(refusal("KeySchemeMismatch"));
    expect(answer([EDWARDS.keyId, EDWARDS.keyId])).toMatchObject(refusal("KeySchemeMismatch"));
    expectIdle(cluster);
  });
});

describe("INV-7 signers that got different contents to sign", () => {
  const [first, second, envelope] = PARTS;
  if (first === undefined || second === undefined || envelope === undefined) throw new Error("three parts");
  test.each<readonly [string, readonly Part[]]>([
    ["one part more", [...PARTS, { scheme: "CGGMP24", text: "a third input" }]],
    ["one part less", [first, envelope]],
    ["another order", [second, first, envelope]],
    ["another message at the end", [first, second, { ...envelope, text: "another" }]],
  ])("never meet in any part: %s", (_, parts) => {
    const cluster = severalCluster({ seed: "told", engine: "tiny" });
    const calls = [1, 2].map((signer) =>
      cluster.call(
        signer,
        asking(cluster, {
          unsigned: severalOf(7, signer === 1 ? PARTS : parts),
          expiresAtMs: 1_795_000_010_000,
        }),
      ),
    );
    cluster.rest(25_000);
    expect(calls.map(({ heard }) => heard.at(-1)?.kind)).toEqual(["failure", "failure"]);
    expect(cluster.ledger.partials).toEqual([]);
    expectNothing(cluster, calls);
  });
});

describe("signing together has bounds:", () => {
  const many = (count: number): readonly Part[] =>
    Array.from({ length: count }, (_, at) => ({ scheme: "CGGMP24", text: `input ${at}` }));
  const answer = (cluster: TestCluster, change: Partial<TestAsked<"signing">>) => {
    const { heard } = cluster.call(1, asking(cluster, change));
    cluster.rest(50);
    return heard;
  };

  test("so many signables, and at least one", () => {
    const cluster = severalCluster({ seed: "signables", engine: "tiny" });
    const over = answer(cluster, { unsigned: severalOf(7, many(SIGNABLES_PER_SESSION_MAX + 1)) });
    expect(over).toMatchObject(refusal("TransactionUnreadable"));
    expect(answer(cluster, { unsigned: severalOf(7, []) })).toMatchObject(refusal("TransactionUnreadable"));
    expectIdle(cluster);
    const calls = askBoth(cluster, { unsigned: severalOf(7, many(SIGNABLES_PER_SESSION_MAX)) });
    cluster.rest(1_000);
    for (const { heard } of calls) expect(heard.at(-1)?.kind).toBe("signed");
  });

  test("so long a FROST message", () => {
    const cluster = severalCluster({ seed: "message", engine: "tiny" });
    const of = (length: number): Uint8Array =>
      severalOf(7, [{ scheme: "FROST-Ed25519", text: "x".repeat(length) }]);
    const over = answer(cluster, { unsigned: of(FROST_MESSAGE_BYTES_MAX + 1) });
    expect(over).toMatchObject(refusal("TransactionUnreadable"));
    const exact = answer(cluster, { unsigned: of(FROST_MESSAGE_BYTES_MAX) });
    expect(exact.map(({ kind }) => kind)).not.toContain("refusal");
  });

  test("so many sessions at once, of which a signing call takes all that it needs or none", () => {
    const cluster = severalCluster({ seed: "sessions", engine: "tiny" });
    const signingCalls = Math.floor(SESSIONS_MAX / PARTS.length);
    for (let at = 1; at <= signingCalls; at++) {
      const authorisation = authoriseSeveral(at);
      cluster.call(1, asking(cluster, { authorisation, session: testSessionId(`family/${at}`) }));
    }
    cluster.rest(50);
    const left = SESSIONS_MAX - signingCalls * PARTS.length;
    expect(cluster.node(1).state?.sessions.size).toBe(SESSIONS_MAX - left);
    expect(answer(cluster, { authorisation: authoriseSeveral(100) })).toMatchObject(
      refusal("TooManySessions"),
    );
    expect(cluster.node(1).state?.sessions.size).toBe(SESSIONS_MAX - left);
    expect(left).toBeGreaterThan(0);
    const small = { authorisation: authoriseSeveral(101), unsigned: severalOf(7, many(left)) };
    answer(cluster, small);
    expect(cluster.node(1).state?.sessions.size).toBe(SESSIONS_MAX);
  });
});

describe("a signer that dies before any one of its effects and restarts, in signing several things", () => {
  const stocked = severalCluster({ seed: "several stocked", engine: "tiny" });
  const presignatures = stockOn(stocked, [
    [1, 2],
    [1, 2],
  ]);
  const records = recordsOf(stocked);
  const open = () => {
    const cluster = severalCluster({ seed: "several crash", engine: "tiny", records });
    cluster.rest(100); // the signers confirm to each other that their stores are up to date
    cluster.ledger.expect(utf8ToBytes("the envelope"), requestIdOf(1));
    return cluster;
  };
  /** Expects that no signer signs another transaction of the request, or uses a tried presignature for anything else. */
  const expectBound = (cluster: TestCluster, tried: readonly string[]): void => {
    const again = [{ unsigned: severalOf(8, PARTS) }];
    const reuse = { authorisation: authoriseSeveral(2), presignatures: tried, unsigned: severalOf(9, PARTS) };
    for (const change of tried.length === 0 ? again : [...again, reuse]) {
      const session = testSessionId(`again/${cluster.world.nowMs()}`);
      const calls = askBoth(cluster, { ...change, session });
      cluster.rest(300); // the ledger throws when one presignature signs two digests
      expect(calls.map(({ heard }) => heard.at(-1)?.kind)).not.toContain("signed");
    }
  };

  test.each<Death>(["process", "power"])(
    "INV-2 INV-4 with presignatures of the pool, of a failure of its %s",
    (death) => {
      const crashes = crashEverywhere(
        open,
        (cluster) => {
          const outcome = signSeveralOn(cluster, { presignatures, isTiny: true });
          reviving(cluster, () => outcome.isClosed);
          expect(outcome.result?.signatures).toHaveLength(3);
          expect(outcome.faults).toEqual([]);
          if (outcome.result?.path.kind === "pooled" && outcome.result.attempts === 1) {
            expectBound(
              cluster,
              presignatures.map(({ id }) => id),
            );
          }
        },
        death,
      );
      expect(crashes).toBeGreaterThan(15);
    },
    120_000,
  );

  test.each<Death>(["process", "power"])(
    "INV-2 INV-4 with presignatures of its own, of a failure of its %s",
    (death) => {
      const crashes = crashEverywhere(
        open,
        (cluster) => {
          const outcome = signSeveralOn(cluster, { isTiny: true });
          reviving(cluster, () => outcome.isClosed);
          expect(outcome.result?.signatures).toHaveLength(3);
          expect(outcome.faults).toEqual([]);
          if (outcome.result?.quorum.join() === "1,2") expectBound(cluster, []);
        },
        death,
      );
      expect(crashes).toBeGreaterThan(30);
    },
    120_000,
  );
});

test("INV-2 a signer that dies between two partial signatures of a signing call refuses all of its presignatures", () => {
  const cluster = severalCluster({ seed: "between", engine: "tiny" });
  const presignatures = stockOn(cluster, [
    [1, 2],
    [1, 2],
  ]).map(({ id }) => id);
  const before = cluster.ledger.partials.length;
  askBoth(cluster, { presignatures });
  cluster.until(() => cluster.ledger.partials.length > before);
  cluster.kill(1);
  cluster.restart(1);
  cluster.rest(3_000);
  const names = [...cluster.node(1).records.keys()];
  expect(names.filter((name) => RECORDS.spent.idOf(name) !== undefined)).toHaveLength(2);
  for (const id of presignatures) {
    const parts = PARTS.slice(1);
    const change = { presignatures: [id], unsigned: severalOf(7, parts), session: hexToBytes(id) };
    const { heard } = cluster.call(1, asking(cluster, change));
    cluster.rest(50);
    expect(heard).toMatchObject(
      refusal(id === presignatures[0] ? "PresignatureReused" : "PresignatureSpent"),
    );
  }
});
