import { testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { authoriseAuxiliary, authoriseTransfer, KEY_ID, transactionOf } from "../../testing/fixtures.ts";
import { eventOf } from "../../testing/signer-input.ts";
import type { Asked } from "../event.ts";
import { SESSION_MEMORY_MS, SWEEP_INTERVAL_MS } from "../limits.ts";
import { stepSigner } from "../signer.ts";

const isCall = (text: string): text is CallId => text.length > 0;

const call = (): CallId => {
  const name = "call";
  if (!isCall(name)) throw new Error("not a call");
  return name;
};

const LIFETIME_MS = 20_000;
const session = testSessionId("again");
const cluster = new TestCluster({ seed: "run-id", size: 3, threshold: 2, engine: "tiny" });
const { state } = cluster.node(1);
if (state === undefined) throw new Error("the signer is alive");
const begins: readonly (readonly [string, (expiresAtMs: number) => Asked])[] = [
  [
    "presigning",
    (expiresAtMs) => ({
      kind: "presigning",
      call: call(),
      session,
      quorum: [1, 2],
      keyId: KEY_ID,
      expiresAtMs,
    }),
  ],
  [
    "signing",
    (expiresAtMs) => ({
      kind: "signing",
      call: call(),
      session,
      quorum: [1, 2],
      keyId: KEY_ID,
      authorisation: authoriseTransfer(1, KEY_ID, new Date(expiresAtMs - LIFETIME_MS).toISOString()),
      unsigned: transactionOf(7),
      presignatures: [],
      dead: undefined,
      expiresAtMs,
    }),
  ],
  [
    "auxiliary generation",
    (expiresAtMs) => {
      const date = new Date(expiresAtMs - LIFETIME_MS).toISOString();
      const authorisation = authoriseAuxiliary(1, 9, [1, 2, 3], date);
      return { kind: "auxiliary", call: call(), session, epoch: 9, authorisation, expiresAtMs };
    },
  ],
];

describe("INV-7 a session that begins again once its id is forgotten", () => {
  test.each(begins)("is another run, where nothing counts that was signed in the first: %s", (_, begin) => {
    const nowMs = cluster.world.nowMs();
    const first = stepSigner(state, eventOf(begin(nowMs + LIFETIME_MS)), nowMs);
    const laterMs = nowMs + LIFETIME_MS + SESSION_MEMORY_MS + SWEEP_INTERVAL_MS;
    const forgotten = stepSigner(first.state, { kind: "tick" }, laterMs).state;
    const second = stepSigner(forgotten, eventOf(begin(laterMs + LIFETIME_MS)), laterMs);
    const [one] = [...first.state.sessions.keys()];
    const [two] = [...second.state.sessions.keys()];
    expect(one).toHaveLength(64);
    expect(two).toHaveLength(64);
    expect(two).not.toBe(one);
  });
});
