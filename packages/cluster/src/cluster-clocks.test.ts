import { problem, type SignatureContent } from "@conclave/custody";
import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import type { SigningResult } from "./coordinator/effect.ts";
import { CLOCK_REMEMBERED_MS } from "./coordinator/limits.ts";
import { SharedStandings } from "./interpreter/shared-standings.ts";
import { type Outcome, TestCluster } from "./testing/cluster.ts";
import { generateAuxiliaryOn, generateKeyOn, presignOn, signOn, stockOn } from "./testing/drive.ts";
import { heldEpochs, refreshOn } from "./testing/drive-key-change.ts";
import { authoriseSignature, keyIdOf } from "./testing/fixtures.ts";
import { allHeldKeys } from "./testing/held-keys.ts";
import { exportOn, honestEnvelopes, importOn } from "./testing/key-passage.ts";
import { messageCluster, signMessageOn } from "./testing/message-drive.ts";
import { severalCluster, signSeveralOn } from "./testing/several.ts";

const AHEAD_MS = [2_000, 3_000, 5_000, 60_000, -2_000, -5_000, -60_000] as const;
const HASH = "5a".repeat(32);
const HASHED: SignatureContent = { kind: "hash", hash: HASH };

interface Case {
  readonly open: () => TestCluster;
  readonly sign: (cluster: TestCluster) => Outcome<SigningResult>;
}

const tiny = (): TestCluster => new TestCluster({ seed: "clocks", size: 3, threshold: 2, engine: "tiny" });

const CASES: readonly (readonly [string, Case])[] = [
  [
    "a message, with FROST",
    { open: () => messageCluster({ seed: "clocks", size: 3, threshold: 2 }), sign: signMessageOn },
  ],
  [
    "a transfer, with FROST",
    {
      open: () => severalCluster({ seed: "clocks", engine: "tiny" }),
      sign: (cluster) =>
        signSeveralOn(cluster, { isTiny: true, parts: [{ scheme: "FROST-Ed25519", text: "all of it" }] }),
    },
  ],
  ["a transfer, with ECDSA", { open: tiny, sign: (cluster) => signOn(cluster, { isTiny: true }) }],
  [
    "a hash, with ECDSA",
    {
      open: tiny,
      sign: (cluster) =>
        signOn(cluster, {
          isTiny: true,
          authorisation: authoriseSignature(1, HASHED),
          transaction: new Uint8Array(0),
          digest: hexToBytes(HASH),
        }),
    },
  ],
  [
    "a transfer, with ECDSA from the pool",
    {
      open: tiny,
      sign: (cluster) => {
        const aheadMs = cluster.coordinatorAheadMs;
        cluster.coordinatorAheadMs = 0;
        const presignatures = stockOn(cluster, [
          [1, 2],
          [2, 3],
        ]);
        cluster.coordinatorAheadMs = aheadMs;
        return signOn(cluster, { isTiny: true, presignatures });
      },
    },
  ],
];

const isDone = (outcome: Outcome<SigningResult>) => (): boolean => outcome.isClosed;

describe.each(CASES)("INV-5 %s", (_, { open, sign }) => {
  test.each(AHEAD_MS)(
    "is signed by a coordinator whose clock is %i ms ahead, at the second session",
    (ms) => {
      const cluster = open();
      cluster.coordinatorAheadMs = ms;
      const outcome = sign(cluster);
      cluster.until(isDone(outcome));
      expect(outcome.problem).toBeUndefined();
      expect(outcome.result?.attempts).toBeLessThanOrEqual(2);
      expect(outcome.faults).toEqual([]);
    },
  );
});

describe("a coordinator whose clock is a minute behind", () => {
  const late = (): TestCluster => {
    const cluster = messageCluster({ seed: "learnt" });
    cluster.coordinatorAheadMs = -60_000;
    return cluster;
  };
  /** The number of attempts for one signature in a process with these standings. */
  const attemptsOf = (cluster: TestCluster, standings: SharedStandings, seed: string) => {
    const outcome = signMessageOn(cluster, { standings, seed });
    cluster.until(isDone(outcome));
    return outcome.result?.attempts;
  };

  test("learns it once: the requests after the first one are signed at their first session", () => {
    const cluster = late();
    const standings = new SharedStandings();
    const seeds = ["first", "second", "third"];
    expect(seeds.map((seed) => attemptsOf(cluster, standings, seed))).toEqual([2, 1, 1]);
  });

  test("needs to learn nothing when its clock is set right meanwhile", () => {
    const cluster = late();
    const standings = new SharedStandings();
    attemptsOf(cluster, standings, "first");
    cluster.coordinatorAheadMs = 0;
    expect(attemptsOf(cluster, standings, "right")).toBe(1);
  });

  test("forgets it after a while, and learns anew", () => {
    const cluster = late();
    const standings = new SharedStandings();
    attemptsOf(cluster, standings, "first");
    cluster.rest(CLOCK_REMEMBERED_MS + 1_000);
    expect(attemptsOf(cluster, standings, "anew")).toBe(2);
  });

  test("makes presignatures, too, once a signer has reported its clock", () => {
    const cluster = tiny();
    cluster.coordinatorAheadMs = -60_000;
    const first = presignOn(cluster, [1, 2], "first");
    cluster.until(() => first.isClosed);
    expect(first.problem?.code).toBe("SessionExpired");
    const standings = new SharedStandings();
    const signed = signOn(cluster, { isTiny: true, standings });
    cluster.until(isDone(signed));
    const second = presignOn(cluster, [1, 2], "second", undefined, standings);
    cluster.until(() => second.isClosed);
    expect(second.result?.id).toBeDefined();
  });
});

const HOUR_MS = 3_600_000;

describe.each([
  ["an hour ahead", HOUR_MS],
  ["an hour behind", -HOUR_MS],
  ["25 hours ahead", 25 * HOUR_MS],
  ["25 hours behind", -25 * HOUR_MS],
  ["100 days ahead", 2_400 * HOUR_MS],
  ["100 days behind", -2_400 * HOUR_MS],
] as const)("INV-5 a coordinator whose clock is %s for 25 s", (_, aheadMs) => {
  test("signs all that began meanwhile within 60 s after it is right again", () => {
    const cluster = messageCluster({ seed: "jump", size: 3, threshold: 2 });
    const standings = new SharedStandings();
    const signNow = (seed: string, transfer: number) => [
      signMessageOn(cluster, { standings, seed }),
      signOn(cluster, { standings, seed, request: transfer }),
    ];
    cluster.coordinatorAheadMs = aheadMs;
    const begun = signNow("at once", 1);
    cluster.rest(12_000);
    const later = signNow("later", 2);
    cluster.rest(13_000);
    cluster.coordinatorAheadMs = 0;
    const after = signNow("after", 3);
    const all = [...begun, ...later, ...after];
    cluster.until(() => all.every(({ isClosed }) => isClosed), 60_000);
    expect(all.map(({ result, problem }) => problem ?? result?.quorum.length)).toEqual(all.map(() => 2));
  });
});

const NEW_KEY = keyIdOf(2);

/** @param clockMs the time that the signer says its clock shows */
const untimely = (code: "SessionExpired" | "DeadlineTooFar", clockMs: () => number) => () =>
  ({ kind: "refusal", problem: problem(code, { clockMs: clockMs() }) }) as const;

describe.each([
  ["a minute behind", -60_000],
  ["an hour behind", -3_600_000],
  ["an hour ahead", 3_600_000],
] as const)("INV-5 a coordinator whose clock is %s", (_, aheadMs) => {
  const apart = (size: number, threshold: number, records: "none" | "provisioned" = "provisioned") => {
    const cluster = new TestCluster({ seed: "apart", size, threshold, records });
    cluster.coordinatorAheadMs = aheadMs;
    return cluster;
  };
  const ended = <Result>(cluster: TestCluster, outcome: Outcome<Result>): Outcome<Result> => {
    cluster.until(() => outcome.isClosed, 600_000);
    expect(outcome.problem).toBeUndefined();
    expect(outcome.faults).toEqual([]);
    return outcome;
  };

  test("makes auxiliary information, and a key", () => {
    const cluster = apart(3, 2, "none");
    expect(ended(cluster, generateAuxiliaryOn(cluster)).result?.epoch).toBeLessThanOrEqual(2);
    const made = ended(cluster, generateKeyOn(cluster, NEW_KEY));
    expect(made.result?.keyId).toBe(NEW_KEY);
    expect(new Set(made.calls.map(({ session }) => session)).size).toBe(2);
  });

  test("has a key imported, and exported", () => {
    const cluster = apart(5, 3);
    ended(cluster, importOn(cluster, { envelopes: honestEnvelopes() }));
    const { result } = ended(cluster, exportOn(cluster));
    expect(result?.envelopes.size).toBeGreaterThanOrEqual(3);
  });

  test("has a key refreshed", () => {
    const cluster = apart(3, 2);
    expect(ended(cluster, refreshOn(cluster)).result?.lacking).toEqual([]);
    expect(new Set([...heldEpochs(cluster).values()].map(({ epoch }) => epoch)).size).toBe(1);
  });
});

describe("one signer whose clock is an hour behind", () => {
  const behind = (cluster: TestCluster): TestCluster => {
    const speak = untimely("DeadlineTooFar", () => cluster.world.nowMs() - 3_600_000);
    cluster.speak = (signer, report) => (signer === 2 && report.kind !== "key-state" ? speak() : report);
    return cluster;
  };

  test("keeps no client from its key: the other four are enough", () => {
    const cluster = new TestCluster({ seed: "late signer" });
    const imported = importOn(cluster, { envelopes: honestEnvelopes() });
    cluster.until(() => imported.isClosed);
    const exported = exportOn(behind(cluster));
    cluster.until(() => exported.isClosed);
    expect([...(exported.result?.envelopes.keys() ?? [])]).not.toContain(2);
    expect(exported.result?.envelopes.size).toBe(4);
  });

  test("is named when a key needs it: nothing is begun without end, and nothing stays", () => {
    const cluster = behind(new TestCluster({ seed: "late signer", size: 3, threshold: 2 }));
    const made = generateKeyOn(cluster, NEW_KEY);
    cluster.until(() => made.isClosed);
    expect(made.problem?.code).toBe("SessionExpired");
    expect(made.problem?.details["clocks"]).toEqual({ "signer-2": "3600 s behind" });
    expect(new Set(made.calls.map(({ session }) => session)).size).toBe(2);
    for (const node of cluster.nodes.values()) {
      expect(allHeldKeys(node).map(({ keyId }) => keyId)).not.toContain(NEW_KEY);
    }
  });
});

describe("a signer that lies about its clock", () => {
  test.each([
    ["an hour ahead", "SessionExpired", 3_600_000],
    ["an hour behind", "DeadlineTooFar", -3_600_000],
    ["years ahead", "SessionExpired", 1e12],
    ["no time", "SessionExpired", Number.NaN],
  ] as const)("%s, keeps nobody from signing, in a handful of sessions", (_, code, byMs) => {
    const cluster = messageCluster({ seed: "liar" });
    cluster.speak = (signer, report) =>
      signer === 1 ? untimely(code, () => cluster.world.nowMs() + byMs)() : report;
    const counts = Array.from({ length: 8 }, (_each, at) => {
      const outcome = signMessageOn(cluster, { seed: `liar/${at}` });
      cluster.until(isDone(outcome));
      expect(outcome.problem).toBeUndefined();
      return outcome.result?.attempts ?? Number.POSITIVE_INFINITY;
    });
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });

  test("is named with it while the others are too few, and the request goes on once it takes part", () => {
    const cluster = messageCluster({ seed: "named", size: 3, threshold: 3 });
    let isLying = true;
    cluster.speak = (signer, report) =>
      signer === 3 && isLying ? untimely("DeadlineTooFar", () => cluster.world.nowMs() - 61_000)() : report;
    const outcome = signMessageOn(cluster);
    cluster.until(() => outcome.waiting.some((reason) => reason.includes("clock")));
    expect(outcome.waiting.at(-1)).toContain("the clock of signer-3 is 61 s behind");
    isLying = false;
    cluster.until(isDone(outcome));
    expect(outcome.result?.quorum).toEqual([1, 2, 3]);
  });
});
