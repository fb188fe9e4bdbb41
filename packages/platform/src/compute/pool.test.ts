import { randomBytes } from "node:crypto";
import type { ComputeResult, HostConfig, SessionKey } from "@conclave/cluster";
import { auxiliaryInfoCodec, encode, type PartyIndex, partyIndex, Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import { insecureAuxiliaryInfo } from "@conclave/threshold/testing";
import { afterEach, describe, expect, test } from "vitest";
import { loadIdentity, makeIdentity, makePassphrase } from "../certificates/loading.ts";
import { sourceWorker } from "../testing/source-worker.ts";
import { ComputePool, type ComputePoolOptions } from "./pool.ts";

const passphrase = makePassphrase();
const party = (index: number): PartyIndex => {
  const known = partyIndex(index);
  if (known === undefined) throw new RangeError("no party index");
  return known;
};
const PARTIES = [party(1), party(2), party(3)];
const identities = new Map(
  PARTIES.map((index) => {
    const loaded = loadIdentity(makeIdentity(passphrase).key, passphrase);
    if (!loaded.ok) throw new Error(loaded.problem.message);
    return [index, loaded.value] as const;
  }),
);
const peers = new Map(
  [...identities].map(([index, { identityKey, encryptionKey }]) => [
    index,
    { identity: identityKey, encryption: encryptionKey },
  ]),
);
const hostOf = (self: PartyIndex): HostConfig => {
  const identity = identities.get(self);
  if (identity === undefined) throw new Error("no such party");
  return { self, parameters: INSECURE_TEST_PARAMETERS, peers, secrets: identity.secrets };
};

const isKey = (text: string): text is SessionKey => /^[0-9a-f]{64}$/.test(text);
const freshSession = (): SessionKey => {
  const text = randomBytes(32).toString("hex");
  if (!isKey(text)) throw new Error("not a session");
  return text;
};

const pools: ComputePool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const open = (options: Partial<ComputePoolOptions> & { readonly host: HostConfig }): ComputePool => {
  const unexpected = (_: unknown, reason?: unknown): void => {
    throw new Error("a worker died unexpectedly", { cause: reason });
  };
  const pool = new ComputePool({
    computed: () => undefined,
    lost: unexpected,
    failed: unexpected,
    entry: sourceWorker(),
    ...options,
  });
  pools.push(pool);
  return pool;
};

const openKey = (keyId: string) =>
  ({ kind: "open-key", parties: PARTIES, keyId, scheme: "CGGMP24", threshold: 2, epoch: 1 }) as const;

describe("the compute pool", () => {
  test("runs a key generation among three workers, off the main thread", async () => {
    const session = freshSession();
    const keys: string[] = [];
    const members = new Map<PartyIndex, ComputePool>();
    const take = (self: PartyIndex, result: ComputeResult): void => {
      if (result.kind === "key") keys.push(Buffer.from(result.publicKey).toString("hex"));
      if (!("send" in result)) return;
      for (const envelope of result.send) {
        for (const [index, pool] of members) {
          if (index !== self && (envelope.to === 0 || envelope.to === index)) {
            pool.submit(session, { kind: "deliver", envelope });
          }
        }
      }
    };
    for (const self of PARTIES) {
      members.set(self, open({ host: hostOf(self), computed: (_, result) => take(self, result) }));
    }
    for (const pool of members.values()) pool.submit(session, openKey("key-1"));
    await expect.poll(() => keys.length, { timeout: 30_000 }).toBe(3);
    expect(new Set(keys).size).toBe(1);
  });

  test("reports the sessions that a dead worker ended, and goes on with another worker", async () => {
    const lost: SessionKey[] = [];
    const stages: string[] = [];
    const pool = open({
      host: hostOf(party(1)),
      computed: (_, result) => stages.push(result.kind),
      lost: (sessions) => lost.push(...sessions),
    });
    const [doomed, next] = [freshSession(), freshSession()];
    pool.submit(doomed, openKey("key-1"));
    pool.submit(doomed, openKey("key-1")); // opening twice breaks an invariant: the worker throws
    await expect.poll(() => lost, { timeout: 30_000 }).toEqual([doomed]);
    pool.submit(next, openKey("key-2"));
    await expect.poll(() => stages, { timeout: 30_000 }).toEqual(["running", "running"]);
  });

  test("gives up when workers die again and again", async () => {
    const reason = await new Promise<Error>((resolve) => {
      const crash: ComputePoolOptions["entry"] = {
        url: new URL("data:text/javascript,throw new Error('born broken')"),
        execArgv: [],
      };
      open({ host: hostOf(party(1)), entry: crash, lost: () => undefined, failed: resolve });
    });
    expect(reason.message).toBe("born broken");
  });

  test("reports nothing of a session that was dropped", async () => {
    const heard: SessionKey[] = [];
    const pool = open({ host: hostOf(party(1)), computed: (session) => heard.push(session) });
    const [dropped, kept] = [freshSession(), freshSession()];
    pool.submit(dropped, openKey("key-1"));
    pool.drop(dropped);
    pool.submit(kept, openKey("key-2"));
    await expect.poll(() => heard, { timeout: 30_000 }).toEqual([kept]);
  });

  test("lets every worker precompute for the auxiliary information, replacements too", async () => {
    const damaged = new Secret(new Uint8Array(3));
    const reason = await new Promise<Error>((resolve) => {
      const pool = open({ host: hostOf(party(1)), lost: () => undefined, failed: resolve });
      pool.prepare(damaged); // each worker that reads it crashes, the replacement too
    });
    expect(reason.message).toMatch("a stored secret does not decode");
  });

  test("serves sessions as before while workers precompute", async () => {
    const stages: string[] = [];
    const pool = open({ host: hostOf(party(1)), computed: (_, result) => stages.push(result.kind) });
    const info = insecureAuxiliaryInfo(PARTIES).get(party(1));
    if (info === undefined) throw new Error("no such party");
    pool.prepare(new Secret(encode(auxiliaryInfoCodec(INSECURE_TEST_PARAMETERS), info)));
    pool.submit(freshSession(), openKey("key-1"));
    await expect.poll(() => stages, { timeout: 30_000 }).toEqual(["running"]);
  });
});
