import type { SignedAuthorisation } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { MESSAGE_ATTEMPT_MS, SIGNING_ATTEMPT_MS } from "../../coordinator/limits.ts";
import type { TestCluster } from "../../testing/cluster.ts";
import {
  authorisedAnew,
  authoriseMessage,
  authoriseTransfer,
  KEY_ID,
  START_MS,
  transactionOf,
} from "../../testing/fixtures.ts";
import { EDWARDS, MESSAGE, messageCluster } from "../../testing/message-drive.ts";
import {
  CLOCK_SKEW_MS_MAX,
  REQUEST_AGE_MS_MAX,
  SESSION_LIFETIME_MS_MAX,
  SESSION_MEMORY_MS,
  SWEEP_INTERVAL_MS,
} from "../limits.ts";
import { FORGOTTEN_ID, RECORDS } from "../records/record.ts";

const DAY_MS = 24 * 60 * 60_000;
const MENDED_MS = START_MS + 5 * 60_000;
const QUORUM = [1, 2];

const markOf = (toMs: number) => ({
  record: RECORDS.forgotten.name(FORGOTTEN_ID),
  value: RECORDS.forgotten.write({ version: 1, toMs }),
});

/**
 * A cluster whose signers sign a request and a message, and restart with marks that an earlier version set by a clock
 * that was ahead.
 *
 * @param mendedAtMs the date by which each operator corrects them
 */
const restarted = (aheadMs: number, mendedAtMs?: number): TestCluster => {
  const cluster = messageCluster({
    seed: "mended",
    size: 3,
    threshold: 2,
    engine: "tiny",
    configure: (config) => (mendedAtMs === undefined ? config : { ...config, mendedAtMs }),
  });
  expect(signAll(cluster, 1, START_MS)).toEqual(["signed", "signed"]);
  cluster.rest(SWEEP_INTERVAL_MS);
  for (const node of cluster.nodes.values()) {
    node.kill();
    const { record, value } = markOf(START_MS + aheadMs);
    node.records.set(record, value);
    node.start();
  }
  return cluster;
};

/** The last reports of a quorum on a freshly authorised transfer whose request has this date. */
const signAll = (cluster: TestCluster, request: number, requestedMs: number): readonly unknown[] =>
  lastWords(cluster, KEY_ID, SIGNING_ATTEMPT_MS, {
    authorisation: authorisedAnew(
      authoriseTransfer(request, KEY_ID, new Date(requestedMs).toISOString()),
      cluster.world.nowMs(),
    ),
    unsigned: transactionOf(request),
  });

const signMessage = (cluster: TestCluster): readonly unknown[] =>
  lastWords(cluster, EDWARDS.keyId, MESSAGE_ATTEMPT_MS, {
    authorisation: authoriseMessage(MESSAGE, EDWARDS, new Date(cluster.world.nowMs()).toISOString()),
    unsigned: new Uint8Array(0),
  });

const lastWords = (
  cluster: TestCluster,
  keyId: string,
  lifetimeMs: number,
  asked: { readonly authorisation: SignedAuthorisation; readonly unsigned: Uint8Array },
): readonly unknown[] => {
  const nowMs = cluster.world.nowMs();
  const calls = QUORUM.map((signer) =>
    cluster.call(signer, (call) => ({
      kind: "signing",
      call,
      session: testSessionId(`${keyId}/${nowMs}`),
      quorum: QUORUM,
      keyId,
      ...asked,
      presignatures: [],
      dead: undefined,
      expiresAtMs: nowMs + lifetimeMs,
    })),
  );
  cluster.rest(500);
  return calls.map(({ heard }) => {
    const word = heard.at(-1);
    return word?.kind === "refusal" ? word.problem.code : word?.kind;
  });
};
const both = (word: string) => QUORUM.map(() => word);

/** Waits until every session of an earlier life has passed its deadline. */
const restAfterMending = (cluster: TestCluster): void =>
  cluster.rest(MENDED_MS + SESSION_LIFETIME_MS_MAX - cluster.world.nowMs());

test("a mark that is far ahead refuses everything, until an operator has it mended", () => {
  const wrong = restarted(100 * DAY_MS);
  wrong.rest(2 * SESSION_LIFETIME_MS_MAX);
  expect(signAll(wrong, 2, wrong.world.nowMs())).toEqual(both("SessionReused"));
  expect(signMessage(wrong)).toEqual(both("SessionReused"));

  const cluster = restarted(100 * DAY_MS, MENDED_MS);
  expect(signAll(cluster, 2, START_MS)).toEqual(both("SessionReused"));
  restAfterMending(cluster);
  expect(signAll(cluster, 2, cluster.world.nowMs())).toEqual(both("signed"));
  expect(signMessage(cluster)).toEqual(both("signed"));
});

test("INV-4 a transaction that may be forgotten is signed no more after the mending, and ends no request", () => {
  const cluster = restarted(100 * DAY_MS, MENDED_MS);
  restAfterMending(cluster);
  expect(signAll(cluster, 2, MENDED_MS + CLOCK_SKEW_MS_MAX)).toEqual(both("AuthorisationNotCurrent"));
  expect(signAll(cluster, 3, MENDED_MS + CLOCK_SKEW_MS_MAX + 1)).toEqual(both("signed"));
});

test("INV-4 INV-5 where the clock was ahead by less than requests may be old, only the oldest may be forgotten", () => {
  const aheadMs = 30 * DAY_MS;
  const oldestMs = START_MS + aheadMs - REQUEST_AGE_MS_MAX;
  const cluster = restarted(aheadMs, MENDED_MS);
  restAfterMending(cluster);
  expect(signAll(cluster, 2, oldestMs)).toEqual(both("AuthorisationNotCurrent"));
  expect(signAll(cluster, 3, oldestMs + 1)).toEqual(both("signed"));
});

test("the same date mends once, over restarts, and nothing where marks are right", () => {
  const cluster = restarted(100 * DAY_MS, MENDED_MS);
  const mended = cluster.node(1).state?.forgotten;
  expect(mended?.toMs).toBe(MENDED_MS + SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS);
  for (const signer of [1, 2, 3]) cluster.kill(signer);
  cluster.restart(1, 2, 3);
  expect(cluster.node(1).state?.forgotten).toEqual(mended);
  const { records } = cluster.node(1);
  cluster.kill(1);
  const value = RECORDS.forgotten.write({
    version: 2,
    toMs: MENDED_MS + DAY_MS,
    requestedToMs: MENDED_MS,
    mendedMs: MENDED_MS,
  });
  records.set(RECORDS.forgotten.name(FORGOTTEN_ID), value);
  cluster.restart(1);
  expect(cluster.node(1).state?.forgotten.toMs).toBe(MENDED_MS + DAY_MS);

  const right = restarted(0, MENDED_MS);
  expect(right.node(1).state?.forgotten).toMatchObject({ toMs: START_MS, requestedToMs: 0 });
});

test("INV-5 an operator's date ends what an older store set far ahead, under a clock that was ahead", () => {
  const cluster = restarted(0, MENDED_MS);
  for (const node of cluster.nodes.values()) {
    node.kill();
    const ahead = { toMs: START_MS, requestedToMs: START_MS + 100 * DAY_MS, mendedMs: 0 };
    node.records.set(RECORDS.forgotten.name(FORGOTTEN_ID), RECORDS.forgotten.write({ version: 2, ...ahead }));
    node.start();
  }
  restAfterMending(cluster);
  expect(signAll(cluster, 2, MENDED_MS + CLOCK_SKEW_MS_MAX)).toEqual(both("AuthorisationNotCurrent"));
  expect(signAll(cluster, 3, MENDED_MS + CLOCK_SKEW_MS_MAX + 1)).toEqual(both("signed"));
});
