import { SIGNABLES_PER_SESSION_MAX } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { SignablePart } from "./control/command.ts";
import type { CallId } from "./control/session-key.ts";
import type { TestCluster } from "./testing/cluster.ts";
import { KEY_ID, type Part, severalOf } from "./testing/fixtures.ts";
import { authoriseSeveral, severalCluster } from "./testing/several.ts";
import type { TestAsked } from "./testing/signer-input.ts";

const COUNT = 2 * SIGNABLES_PER_SESSION_MAX + 6;
const inputs = (count: number, word = "input"): readonly Part[] =>
  Array.from({ length: count }, (_, at) => ({ scheme: "CGGMP24", text: `${word} ${at}` }));
const UNSIGNED = severalOf(7, inputs(COUNT));

const ask = (
  cluster: TestCluster,
  signer: number,
  part: SignablePart | undefined,
  change: Partial<TestAsked<"signing">> = {},
) =>
  cluster.call(
    signer,
    (call: CallId): TestAsked<"signing"> => ({
      kind: "signing",
      call,
      session: testSessionId(`part ${part?.from ?? "all"}`),
      quorum: [1, 2],
      keyId: KEY_ID,
      authorisation: authoriseSeveral(),
      unsigned: UNSIGNED,
      presignatures: [],
      dead: undefined,
      expiresAtMs: cluster.world.nowMs() + 20_000,
      ...(part === undefined ? {} : { part }),
      ...change,
    }),
  );

const askBoth = (cluster: TestCluster, part: SignablePart, change: Partial<TestAsked<"signing">> = {}) => {
  const expiresAtMs = cluster.world.nowMs() + 20_000;
  return [1, 2].map((signer) => ask(cluster, signer, part, { expiresAtMs, ...change }));
};

const refusalOf = (cluster: TestCluster, part: SignablePart | undefined) => {
  const { heard } = ask(cluster, 1, part);
  cluster.rest(50);
  return heard[0];
};

describe("K7 a transaction of more things to sign than one session takes", () => {
  test("is signed in parts, each by a session of its own, and all are of the one transaction", () => {
    const cluster = severalCluster({ seed: "parts", engine: "tiny" });
    const counts: number[] = [];
    for (let from = 0; from < COUNT; from += SIGNABLES_PER_SESSION_MAX) {
      const count = Math.min(SIGNABLES_PER_SESSION_MAX, COUNT - from);
      const calls = askBoth(cluster, { from, count });
      cluster.rest(2_000);
      for (const { heard } of calls) {
        const last = heard.at(-1);
        counts.push(last?.kind === "signed" ? last.signatures.length : 0);
      }
    }
    expect(counts).toEqual([32, 32, 32, 32, 6, 6]);
  });

  test("INV-7 agrees on values at the places where evidence finds them, others for each part and whole", () => {
    const agreedFor = (part: SignablePart) => {
      const cluster = severalCluster({ seed: "parts agreed", engine: "tiny" });
      askBoth(cluster, part);
      for (let step = 0; step < 500; step += 1) {
        const signingCalls = [...cluster.nodes.values()].flatMap(({ state }) => [
          ...(state?.signingCalls.values() ?? []),
        ]);
        if (signingCalls.length > 0)
          return signingCalls.at(-1)?.parts.map(({ attempt }) => attempt.agreed) ?? [];
        cluster.rest(step);
      }
      return [];
    };
    const [first] = agreedFor({ from: 0, count: 2 });
    expect(first?.map(({ length }) => length)).toEqual([32, 1, 32, 32, 32, 28]);
    const others = [agreedFor({ from: 0, count: 3 }), agreedFor({ from: 1, count: 2 })].map(
      (all) => all[0]?.[0],
    );
    for (const whole of others) expect(whole).not.toEqual(first?.[0]);
  });

  test("INV-4 binds its request with the first part: another transaction is refused in any other", () => {
    const cluster = severalCluster({ seed: "parts bound", engine: "tiny" });
    askBoth(cluster, { from: 0, count: 3 });
    cluster.rest(500);
    const other = { unsigned: severalOf(8, inputs(COUNT, "other")) };
    for (const { heard } of askBoth(cluster, { from: 3, count: 3 }, other)) {
      cluster.rest(50);
      expect(heard).toMatchObject([{ kind: "refusal", problem: { code: "TransactionNotExcluding" } }]);
    }
  });

  test("is refused as a whole, in parts that are too large, empty, or beyond its end", () => {
    const cluster = severalCluster({ seed: "parts bad", engine: "tiny" });
    const bad: readonly (SignablePart | undefined)[] = [
      undefined,
      { from: 0, count: SIGNABLES_PER_SESSION_MAX + 1 },
      { from: COUNT, count: 1 },
      { from: COUNT - 1, count: 2 },
      { from: -1, count: 2 },
      { from: 0.5, count: 2 },
      { from: 0, count: -1 },
      { from: 2 ** 32 - 1, count: 2 },
    ];
    for (const part of bad) {
      expect(refusalOf(cluster, part)).toMatchObject({
        kind: "refusal",
        problem: { code: "TransactionUnreadable" },
      });
    }
    expect(cluster.node(1).state?.sessions.size).toBe(0);
  });

  test("INV-2 INV-3 signers that are asked for different parts, or read another whole, never meet", () => {
    const cluster = severalCluster({ seed: "parts apart", engine: "tiny" });
    const session = testSessionId("one session");
    const expiresAtMs = cluster.world.nowMs() + 20_000;
    const calls = [
      ask(cluster, 1, { from: 0, count: 2 }, { session, expiresAtMs }),
      ask(cluster, 2, { from: 1, count: 2 }, { session, expiresAtMs }),
    ];
    cluster.rest(500);
    const [one, two] = [1, 2].map((signer) => [...(cluster.node(signer).state?.sessions.keys() ?? [])]);
    expect(one?.filter((run) => two?.includes(run))).toEqual([]);
    for (const { heard } of calls) expect(heard.map(({ kind }) => kind)).not.toContain("signed");
  });
});
