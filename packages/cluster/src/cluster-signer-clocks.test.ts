import { ENVELOPE_KIND } from "@conclave/threshold";
import { testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { Lives } from "./control/lives.ts";
import type { CallId } from "./control/session-key.ts";
import { MESSAGE_ATTEMPT_MS, SIGNING_ATTEMPT_MS } from "./coordinator/limits.ts";
import { FORGOTTEN_PER_SWEEP_MS, SESSION_MEMORY_MS, SWEEP_INTERVAL_MS } from "./signer/limits.ts";
import { RECORDS } from "./signer/records/record.ts";
import { setAtRunTime, setOverRestart, WAYS_TO_JUMP } from "./testing/clocks/jumps.ts";
import { CONFIRMED_MS, TestCluster } from "./testing/cluster.ts";
import {
  authoriseMessage,
  authoriseTransfer,
  KEY_ID,
  requestIdOf,
  transactionOf,
} from "./testing/fixtures.ts";
import { EDWARDS, MESSAGE, messageCluster } from "./testing/message-drive.ts";
import type { SignerInput } from "./testing/signer-input.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const JUMP_MS = 25_000;
const ALL = [1, 2, 3];
const QUORUM = [1, 2];
const SIGNED = ["signed", "signed"];

const dateOf = (ms: number): string => new Date(ms).toISOString();
const open = (seed: string): TestCluster => new TestCluster({ seed, size: 3, threshold: 2, engine: "tiny" });

interface Asked {
  readonly request: number;
  /** by which the transaction excludes others; the request's number when absent */
  readonly nonce?: number;
  /** Unix milliseconds: the date of the authorisation */
  readonly atMs: number;
  readonly session?: string;
  readonly expiresAtMs?: number;
}

/** The last report of each signer of a quorum. */
const ask = (cluster: TestCluster, signers: readonly number[], event: (call: CallId) => SignerInput) => {
  const calls = signers.map((signer) => cluster.call(signer, event));
  cluster.rest(500);
  return calls.map(({ heard }) => {
    const word = heard.at(-1);
    return word?.kind === "refusal" ? word.problem.code : word?.kind;
  });
};

/** Asks for a signature: the authority's date is right, and the deadline is by the clock of the asked signer. */
const signBy = (cluster: TestCluster, signers: readonly number[], asked: Asked) => {
  const { request, nonce = request, atMs, session = `${request}/${cluster.world.nowMs()}` } = asked;
  const [first = 1] = signers;
  const expiresAtMs = asked.expiresAtMs ?? cluster.node(first).clockMs() + SIGNING_ATTEMPT_MS;
  return ask(cluster, signers, (call) => ({
    kind: "signing",
    call,
    session: testSessionId(session),
    quorum: QUORUM,
    keyId: KEY_ID,
    authorisation: authoriseTransfer(request, KEY_ID, dateOf(atMs)),
    unsigned: transactionOf(nonce),
    presignatures: [],
    dead: undefined,
    expiresAtMs,
  }));
};

const JUMPS = [HOUR_MS, 25 * HOUR_MS, 100 * DAY_MS].flatMap((ms) => [ms, -ms]);
const WHOM = [[1], [1, 2], ALL];
const CASES = WAYS_TO_JUMP.flatMap(([name, set]) =>
  WHOM.flatMap((whom) => JUMPS.map((jumpMs) => ({ name, set, whom, jumpMs, hours: jumpMs / HOUR_MS }))),
);

describe("a clock that jumps by some hours for 25 s", () => {
  test.each(CASES)(
    "INV-4 INV-5 $hours h at signers $whom $name ends nothing, and nothing is signed twice",
    (each) => {
      const cluster = open(`${each.name}/${each.whom}/${each.hours}`);
      const now = () => cluster.world.nowMs();
      const startMs = now();
      cluster.rest(SWEEP_INTERVAL_MS);
      expect(signBy(cluster, QUORUM, { request: 1, atMs: startMs })).toEqual(SIGNED);
      const [session, expiresAtMs] = ["before", now() + SIGNING_ATTEMPT_MS + JUMP_MS];
      const waitingMs = now();
      expect(signBy(cluster, QUORUM, { request: 2, atMs: waitingMs, session, expiresAtMs })).toEqual(SIGNED);
      each.set(cluster, each.whom, each.jumpMs);
      cluster.rest(3_000);
      // the deadline is by the wrong clock; no signer refuses for good what was authorised just now
      for (const word of signBy(cluster, each.whom, { request: 3, atMs: waitingMs })) {
        expect(["AuthorisationNotCurrent", "SessionReused"]).toContain(word);
      }
      cluster.rest(JUMP_MS - 4_000);
      each.set(cluster, each.whom, 0);
      cluster.rest(1_000);
      // ids from before the jump are still known
      expect(signBy(cluster, QUORUM, { request: 2, atMs: waitingMs, session, expiresAtMs })).toEqual(
        QUORUM.map(() => "SessionReused"),
      );
      expect(signBy(cluster, QUORUM, { request: 3, atMs: waitingMs })).toEqual(SIGNED);
      expect(signBy(cluster, QUORUM, { request: 4, atMs: now() })).toEqual(SIGNED);
      expect(signBy(cluster, QUORUM, { request: 1, nonce: 9, atMs: startMs })).toEqual(
        QUORUM.map(() => "TransactionNotExcluding"),
      );
      for (const signer of QUORUM) {
        expect(cluster.node(signer).records.has(RECORDS.request.name(requestIdOf(1)))).toBe(true);
      }
    },
  );

  test("INV-5 with the authority's own does no harm either: a sweep marks minutes as forgotten, not days", () => {
    const cluster = open("whole host");
    const now = () => cluster.world.nowMs();
    expect(signBy(cluster, QUORUM, { request: 1, atMs: now() })).toEqual(SIGNED);
    cluster.rest(SWEEP_INTERVAL_MS);
    setAtRunTime(cluster, ALL, 100 * DAY_MS);
    cluster.rest(CONFIRMED_MS);
    expect(signBy(cluster, QUORUM, { request: 2, atMs: now() + 100 * DAY_MS })).toEqual(SIGNED);
    cluster.rest(JUMP_MS);
    setAtRunTime(cluster, ALL, 0);
    cluster.rest(SWEEP_INTERVAL_MS);
    expect(signBy(cluster, QUORUM, { request: 3, atMs: now() })).toEqual(SIGNED);
    for (const { state } of cluster.nodes.values()) {
      expect(state?.forgotten.toMs).toBeLessThan(now() + 2 * FORGOTTEN_PER_SWEEP_MS);
    }
    expect(signBy(cluster, QUORUM, { request: 1, nonce: 9, atMs: now() })).toEqual(
      QUORUM.map(() => "TransactionNotExcluding"),
    );
  });
});

/** Asks one signer to presign, which needs no authorisation. */
const presignBy = (cluster: TestCluster, signer: number, session: string, expiresAtMs: number) =>
  ask(cluster, [signer], (call) => ({
    kind: "presigning",
    call,
    session: testSessionId(session),
    quorum: QUORUM,
    keyId: KEY_ID,
    expiresAtMs,
  }));

describe("INV-7 a session that a signer has forgotten", () => {
  test.each(WAYS_TO_JUMP)("begins no second time when the clock goes back by hours %s", (_, set) => {
    const cluster = open("forgotten session");
    const now = () => cluster.world.nowMs();
    cluster.rest(SWEEP_INTERVAL_MS);
    const expiresAtMs = now() + SIGNING_ATTEMPT_MS;
    presignBy(cluster, 1, "old", expiresAtMs);
    const record = RECORDS.session.name(Buffer.from(testSessionId("old")).toString("hex"));
    const { records } = cluster.node(1);
    expect(records.has(record)).toBe(true);
    const signed = () => signBy(cluster, QUORUM, { request: 1, atMs: now() });
    for (let ms = 0; ms <= SESSION_MEMORY_MS + 2 * SWEEP_INTERVAL_MS; ms += SWEEP_INTERVAL_MS) {
      cluster.rest(SWEEP_INTERVAL_MS);
      expect(signed()).toEqual(SIGNED);
    }
    expect(records.has(record)).toBe(false);
    set(cluster, [1], expiresAtMs - SIGNING_ATTEMPT_MS - now());
    cluster.rest(2_000);
    expect(presignBy(cluster, 1, "old", expiresAtMs)).toEqual(["SessionReused"]);
  });
});

interface MessageTimes {
  readonly expiresAtMs: number;
  /** Unix milliseconds: the date of the authorisation */
  readonly dateMs?: number;
  /** the signers' current lives when absent */
  readonly lives?: Lives;
}

/** Asks signers to sign only a message, which leaves no record. */
const signMessageBy = (
  cluster: TestCluster,
  signers: readonly number[],
  session: string,
  { expiresAtMs, dateMs = expiresAtMs - MESSAGE_ATTEMPT_MS, lives = cluster.lives }: MessageTimes,
) => {
  const date = dateOf(dateMs);
  return ask(cluster, signers, (call) => ({
    kind: "signing",
    call,
    session: testSessionId(session),
    lives,
    quorum: QUORUM,
    keyId: EDWARDS.keyId,
    authorisation: authoriseMessage(MESSAGE, EDWARDS, date),
    unsigned: new Uint8Array(0),
    presignatures: [],
    dead: undefined,
    expiresAtMs,
  }));
};

describe("INV-7 a session that signs a message alone", () => {
  const messages = (seed: string) => messageCluster({ seed, size: 3, threshold: 2 });
  /** The run ids in which a signer sent a list of commitments, one for each list. */
  const runsOf = (cluster: TestCluster, signer: number): readonly string[] =>
    cluster.sent
      .filter(({ from, round, kind }) => from === signer && round === 1 && kind === ENVELOPE_KIND.broadcast)
      .map(({ session }) => Buffer.from(session).toString("hex"));

  test.each(WAYS_TO_JUMP)(
    "begins no second run that is the first, when its signer's clock goes back %s",
    (_, set) => {
      const cluster = messages("two lives");
      const expiresAtMs = cluster.world.nowMs() + MESSAGE_ATTEMPT_MS;
      const { lives } = cluster;
      expect(signMessageBy(cluster, QUORUM, "once", { expiresAtMs })).toEqual(SIGNED);
      set(cluster, [1], -30_000);
      cluster.rest(expiresAtMs - MESSAGE_ATTEMPT_MS - cluster.node(1).clockMs() + 3_000);
      expect(cluster.node(1).clockMs()).toBeLessThan(expiresAtMs);
      expect(signMessageBy(cluster, [1], "once", { expiresAtMs, lives })).toEqual(["SignerLifeUnknown"]);
      signMessageBy(cluster, [1], "once", { expiresAtMs });
      const runs = runsOf(cluster, 1);
      expect(new Set(runs).size).toBe(runs.length);
    },
  );

  test("INV-5 begins at once when clocks went back that were ahead while others began", () => {
    const cluster = messages("ahead");
    const aheadMs = 10 * 60_000;
    for (const signedAheadMs of [aheadMs, 0, aheadMs, 0]) {
      setAtRunTime(cluster, QUORUM, signedAheadMs);
      cluster.rest(100); // peers confirm the signer's store
      const expiresAtMs = cluster.node(1).clockMs() + MESSAGE_ATTEMPT_MS;
      const dateMs = cluster.world.nowMs();
      expect(signMessageBy(cluster, QUORUM, `${dateMs}`, { expiresAtMs, dateMs })).toEqual(SIGNED);
      cluster.rest(3_000);
    }
  });

  test("INV-5 begins at once when the clock is right again after minutes, and sweeps, of a time ahead", () => {
    const cluster = messages("swept ahead");
    const begin = (name: string): void => {
      cluster.rest(100); // peers confirm the signer's store
      const expiresAtMs = cluster.node(1).clockMs() + MESSAGE_ATTEMPT_MS;
      expect(signMessageBy(cluster, QUORUM, name, { expiresAtMs })).toEqual(SIGNED);
    };
    setAtRunTime(cluster, QUORUM, 10 * 60_000);
    for (const name of ["ahead 1", "ahead 2", "ahead 3"]) {
      begin(name);
      cluster.rest(SWEEP_INTERVAL_MS);
    }
    setAtRunTime(cluster, QUORUM, 0);
    begin("right");
  });

  test("INV-5 begins as soon as peers have confirmed the store after a restart", () => {
    const cluster = messages("restarted");
    const expiresAtMs = (): number => cluster.world.nowMs() + MESSAGE_ATTEMPT_MS;
    expect(signMessageBy(cluster, QUORUM, "1", { expiresAtMs: expiresAtMs() })).toEqual(SIGNED);
    setOverRestart(cluster, ALL, 0);
    cluster.rest(CONFIRMED_MS);
    expect(signMessageBy(cluster, QUORUM, "2", { expiresAtMs: expiresAtMs() })).toEqual(SIGNED);
  });
});
