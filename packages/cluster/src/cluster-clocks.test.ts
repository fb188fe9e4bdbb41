import { problem, type SignatureContent } from "@conclave/custody";
import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import type { SigningResult } from "./coordinator/effect.ts";
import { CLOCK_REMEMBERED_MS } from "./coordinator/limits.ts";
import type { Standings } from "./coordinator/standings.ts";
import { MESSAGE_SESSION_MS_MAX } from "./signer/limits.ts";
import { type Outcome, TestCluster } from "./testing/cluster.ts";
import { presignOn, signOn, stockOn } from "./testing/drive.ts";
import { authoriseSignature } from "./testing/fixtures.ts";
import { messageCluster, signMessageOn } from "./testing/message-drive.ts";
import { severalCluster, signSeveralOn } from "./testing/several.ts";

const AHEAD_MS = [2_000, 3_000, 5_000, 60_000, -2_000, -5_000, -60_000] as const;
const HASH = "5a".repeat(32);
const HASHED: SignatureContent = { kind: "hash", hash: HASH };

interface Case {
  readonly open: () => TestCluster;
  readonly sign: (cluster: TestCluster) => Outcome<SigningResult>;
}

/** Signers that started just now refuse messages with near deadlines: they are up for longer than that. */
const rested = (cluster: TestCluster): TestCluster => {
  cluster.rest(MESSAGE_SESSION_MS_MAX);
  return cluster;
};
const tiny = (): TestCluster => new TestCluster({ seed: "clocks", size: 3, threshold: 2, engine: "tiny" });

const CASES: readonly (readonly [string, Case])[] = [
  [
    "a message, with FROST",
    { open: () => rested(messageCluster({ seed: "clocks", size: 3, threshold: 2 })), sign: signMessageOn },
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
    const cluster = rested(messageCluster({ seed: "learnt" }));
    cluster.coordinatorAheadMs = -60_000;
    return cluster;
  };
  const signOnce = (cluster: TestCluster, health: Standings, seed: string) => {
    let learnt = health;
    const learn = (next: Standings): void => {
      learnt = next;
    };
    const outcome = signMessageOn(cluster, { health, learn, seed });
    cluster.until(isDone(outcome));
    return { attempts: outcome.result?.attempts, health: learnt };
  };

  test("learns it once: the requests after the first one are signed at their first session", () => {
    const cluster = late();
    const first = signOnce(cluster, new Map(), "first");
    const second = signOnce(cluster, first.health, "second");
    const third = signOnce(cluster, second.health, "third");
    expect([first.attempts, second.attempts, third.attempts]).toEqual([2, 1, 1]);
  });

  test("forgets it after a while, and learns anew when the clock was set right meanwhile", () => {
    const cluster = late();
    const { health } = signOnce(cluster, new Map(), "first");
    cluster.coordinatorAheadMs = 0;
    expect(signOnce(cluster, health, "right").attempts).toBe(2);
    cluster.rest(CLOCK_REMEMBERED_MS);
    expect(signOnce(cluster, health, "later").attempts).toBe(1);
  });

  test("makes presignatures, too, once a signer has told its clock", () => {
    const cluster = tiny();
    cluster.coordinatorAheadMs = -60_000;
    const first = presignOn(cluster, [1, 2], "first");
    cluster.until(() => first.isClosed);
    expect(first.problem?.code).toBe("SessionExpired");
    let health: Standings = new Map();
    const signed = signOn(cluster, { isTiny: true, learn: (learnt) => (health = learnt) });
    cluster.until(isDone(signed));
    const second = presignOn(cluster, [1, 2], "second", undefined, health);
    cluster.until(() => second.isClosed);
    expect(second.result?.id).toBeDefined();
  });
});

describe("a signer that lies about its clock", () => {
  const untimely = (code: "SessionExpired" | "DeadlineTooFar", clockMs: number) =>
    ({ kind: "refusal", problem: problem(code, { clockMs }) }) as const;

  test.each([
    ["an hour ahead", "SessionExpired", 3_600_000],
    ["an hour behind", "DeadlineTooFar", -3_600_000],
    ["years ahead", "SessionExpired", 1e12],
    ["no time", "SessionExpired", Number.NaN],
  ] as const)("%s, keeps nobody from signing, in a handful of sessions", (_, code, byMs) => {
    const cluster = rested(messageCluster({ seed: "liar" }));
    cluster.speak = (signer, report) =>
      signer === 1 ? untimely(code, cluster.world.nowMs() + byMs) : report;
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
    const cluster = rested(messageCluster({ seed: "named", size: 3, threshold: 3 }));
    let isLying = true;
    cluster.speak = (signer, report) =>
      signer === 3 && isLying ? untimely("DeadlineTooFar", cluster.world.nowMs() - 61_000) : report;
    const outcome = signMessageOn(cluster);
    cluster.until(() => outcome.waiting.some((reason) => reason.includes("clock")));
    expect(outcome.waiting.at(-1)).toContain("the clock of signer-3 is 61 s behind");
    isLying = false;
    cluster.until(isDone(outcome));
    expect(outcome.result?.quorum).toEqual([1, 2, 3]);
  });
});
