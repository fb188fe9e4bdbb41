import { randomBytes } from "node:crypto";
import type { ComputeResult, ComputeTask, HostConfig, SessionKey } from "@conclave/cluster";
import { compute, type Host, openHost } from "@conclave/cluster/compute";
import {
  auxiliaryInfoCodec,
  CGGMP24,
  type Envelope,
  encode,
  keyShareCodec,
  type PartyIndex,
  Secret,
} from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS as parameters } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryInfo,
  insecureAuxiliaryPrimes,
  insecureKeyShares,
  insecurePartySecrets,
  insecurePeerKeys,
  seededEntropy,
  testParties,
  testParty,
} from "@conclave/threshold/testing";
import { afterEach, describe, expect, test } from "vitest";
import { bundledEntry } from "../testing/bundled-entry.ts";
import { ComputePool, type ComputePoolOptions } from "./pool.ts";

const parties = testParties(3);
const [self, ...others] = [testParty(1), testParty(2), testParty(3)];
const PATIENCE = { timeout: 30_000 };

const isKey = (text: string): text is SessionKey => /^[0-9a-f]{64}$/.test(text);
const freshSession = (): SessionKey => {
  const text = randomBytes(32).toString("hex");
  return isKey(text) ? text : expect.fail("not a session");
};

const hostOf = (party: PartyIndex): HostConfig => ({
  self: party,
  parameters,
  peers: new Map(parties.map((each) => [each, insecurePeerKeys(each)])),
  secrets: new Secret(insecurePartySecrets(party)),
});

const presigning = (party: PartyIndex, purpose: "request" | "pool" = "request"): ComputeTask => {
  const share = insecureKeyShares(3, parties).get(party) ?? expect.fail("no such party");
  const info = insecureAuxiliaryInfo(parties).get(party) ?? expect.fail("no such party");
  return {
    kind: "open-presigning",
    purpose,
    signers: parties,
    key: new Secret(encode(keyShareCodec(CGGMP24), share)),
    auxiliary: new Secret(encode(auxiliaryInfoCodec(parameters), info)),
  };
};
const auxiliary = (party: PartyIndex): ComputeTask => {
  const primes = new Secret(insecureAuxiliaryPrimes(party));
  return { kind: "open-auxiliary", parties, epoch: 1, primes };
};
const key: ComputeTask = {
  kind: "open-key",
  parties,
  keyId: "key-1",
  scheme: "CGGMP24",
  threshold: 2,
  epoch: 1,
};

interface Check {
  readonly thread: number;
  readonly session: string;
  readonly at: number;
}

/** The pool of signer 1, whose peers are hosts in this thread, and a record of the checks that its workers got. */
interface Table {
  readonly pool: ComputePool;
  readonly checks: Check[];
  readonly results: Map<SessionKey, ComputeResult[]>;
  readonly lost: SessionKey[];
  readonly begin: (open: (party: PartyIndex) => ComputeTask) => SessionKey;
}

const OBSERVED = bundledEntry(new URL("../testing/observed-worker.mjs", import.meta.url));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const lay = (
  workers: number,
  {
    dieOf = "none",
    heard,
  }: { dieOf?: string; heard?: (session: SessionKey, result: ComputeResult) => void } = {},
): Table => {
  const name = randomBytes(8).toString("hex");
  const observed = `${OBSERVED.url.href}?channel=${name}&dieOf=${dieOf}`;
  const channel = new BroadcastChannel(name);
  const checks: Check[] = [];
  channel.onmessage = (event: { readonly data: Check }) => checks.push(event.data);

  const results = new Map<SessionKey, ComputeResult[]>();
  const lost: SessionKey[] = [];
  const entropy = seededEntropy(name);
  const peers = new Map<PartyIndex, Host>(others.map((party) => [party, openHost(hostOf(party))]));

  const give = (session: SessionKey, party: PartyIndex, task: ComputeTask): readonly Envelope[] => {
    const computed = compute(peers.get(party) ?? expect.fail("no such peer"), session, task, entropy);
    peers.set(party, computed.host);
    return "send" in computed.result ? computed.result.send : [];
  };
  /** Carries envelopes until the peers in this thread send no more. */
  const carry = (session: SessionKey, said: readonly Envelope[]): void => {
    const waiting = [...said];
    for (let envelope = waiting.shift(); envelope !== undefined; envelope = waiting.shift()) {
      const { from, to } = envelope;
      const receivers = parties.filter((party) => party !== from && (to === 0 || to === party));
      for (const party of receivers) {
        if (party === self) pool.submit(session, { kind: "deliver", envelope });
        else waiting.push(...give(session, party, { kind: "deliver", envelope }));
      }
    }
  };
  const options: ComputePoolOptions = {
    host: hostOf(self),
    workers,
    computed: (session, result) => {
      results.set(session, [...(results.get(session) ?? []), result]);
      heard?.(session, result);
      if ("send" in result) carry(session, result.send);
    },
    lost: (sessions) => lost.push(...sessions),
    failed: (reason) => expect.fail(reason.message),
    entry: {
      url: new URL(`data:text/javascript,import(${encodeURIComponent(JSON.stringify(observed))})`), // it keeps the query
      execArgv: [],
    },
  };
  const pool = new ComputePool(options);
  closing.push(async () => {
    channel.close();
    await pool.close();
  });
  const begin = (open: (party: PartyIndex) => ComputeTask): SessionKey => {
    const session = freshSession();
    pool.submit(session, open(self));
    const opened = others.flatMap((party) => give(session, party, open(party)));
    carry(session, opened);
    return session;
  };
  return { pool, checks, results, lost, begin };
};

const last = ({ results }: Table, session: SessionKey): string | undefined =>
  results.get(session)?.at(-1)?.kind;

/** Whether round 1 is complete, and its peers' messages are being checked. */
const isChecking = (result: ComputeResult): boolean =>
  result.kind === "running" && result.stage === "presign/1" && result.awaiting.length === 0;

describe("a pool of several workers", () => {
  test("spreads the checks of a presigning, and of an auxiliary generation, over two of them", async () => {
    const table = lay(2);
    for (const [open, end] of [
      [(party: PartyIndex) => presigning(party), "presigned"] as const,
      [auxiliary, "auxiliary"] as const,
    ]) {
      const session = table.begin(open);
      await expect.poll(() => last(table, session), PATIENCE).toBe(end);
      table.pool.drop(session);
      const threadsOf = (peer: number) =>
        table.checks
          .filter((check) => check.session === session && check.at === peer)
          .map(({ thread }) => thread);
      expect([threadsOf(0).length, threadsOf(1).length]).toEqual([2, 2]); // two checks in each of two rounds
      expect(threadsOf(0).filter((thread) => threadsOf(1).includes(thread))).toEqual([]);
    }
  });

  test("loses the sessions of a worker that a check kills, and the check's own session, and goes on", async () => {
    const table = lay(2, { dieOf: "1" });
    const doomed = freshSession();
    const stays = freshSession();
    const first = table.begin((party) => presigning(party)); // on the first worker; its second check goes to the other
    table.pool.submit(doomed, key);
    table.pool.submit(stays, key);
    await expect.poll(() => table.lost.length, PATIENCE).toBe(2);
    expect(new Set(table.lost)).toEqual(new Set([first, doomed]));
    const before = table.results.get(stays)?.length ?? 0;
    const foreign = { session: new Uint8Array(32), round: 1, kind: 0, from: 2, to: 0 };
    const envelope = { ...foreign, payload: new Uint8Array(), signature: new Uint8Array(64) };
    table.pool.submit(stays, { kind: "deliver", envelope });
    await expect.poll(() => table.results.get(stays)?.length, PATIENCE).toBe(Math.max(before, 1) + 1);
    expect(last(table, stays)).toBe("running");
    const next = freshSession();
    table.pool.submit(next, key);
    await expect.poll(() => last(table, next), PATIENCE).toBe("running");
  });

  test("forgets a session that is dropped while its checks are away", async () => {
    const dropped: SessionKey[] = [];
    const table = lay(2, {
      heard: (session, result) => {
        if (dropped.length > 0 || !isChecking(result)) return;
        dropped.push(session);
        table.pool.drop(session);
      },
    });
    const first = table.begin((party) => presigning(party));
    await expect.poll(() => dropped, PATIENCE).toEqual([first]);
    const resultsBefore = table.results.get(first)?.length;
    const second = table.begin((party) => presigning(party));
    await expect.poll(() => last(table, second), PATIENCE).toBe("presigned");
    expect(table.results.get(first)?.length).toBe(resultsBefore);
    expect(table.lost).toEqual([]);
  });
});

describe("a pool of one worker", () => {
  test("leaves the checks of a live session within the session", async () => {
    const table = lay(1);
    const session = table.begin((party) => presigning(party));
    await expect.poll(() => last(table, session), PATIENCE).toBe("presigned");
    expect(table.checks).toEqual([]);
  });

  test("does the checks of a pool presigning one by one, and live work between them", async () => {
    const order: string[] = [];
    const live = freshSession();
    const table = lay(1, {
      heard: (session, result) => {
        order.push(session === live ? "live" : result.kind === "running" ? result.stage : result.kind);
        if (isChecking(result) && !order.includes("live asked")) {
          order.push("live asked");
          table.pool.submit(live, key);
        }
      },
    });
    const stock = table.begin((party) => presigning(party, "pool"));
    await expect.poll(() => last(table, stock), PATIENCE).toBe("presigned");
    expect(table.checks.map(({ session }) => session)).toEqual([stock, stock, stock, stock]);
    // the live session came after the checks of round 1, and still opened before the round ended
    const marks = ["live asked", "live", "presign/2"].map((mark) => order.indexOf(mark));
    expect(marks).toEqual(marks.toSorted((a, b) => a - b));
    expect(marks).not.toContain(-1);
    expect(table.lost).toEqual([]);
  });
});
