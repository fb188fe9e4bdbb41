import { CGGMP24 } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { RECORDS } from "./signer/records/record.ts";
import { cheating } from "./testing/cheats.ts";
import { TestCluster } from "./testing/cluster.ts";
import { keyIdOf } from "./testing/fixtures.ts";
import { allHeldKeys } from "./testing/held-keys.ts";
import {
  dealtFor,
  type Envelopes,
  honestEnvelopes,
  importOn,
  organisationOf,
  PASSING_KEY,
  sealAll,
} from "./testing/key-passage.ts";

const ORGANISATION_B = { orgId: organisationOf(2), keyId: keyIdOf(22) };
const sealed = honestEnvelopes();

/** Runs an import to its end. */
const imported = (cluster: TestCluster, wish: Parameters<typeof importOn>[1]) => {
  const outcome = importOn(cluster, wish);
  cluster.until(() => outcome.isClosed);
  return outcome;
};

/** The holders of a key, and whether it is active there. */
const holdersOf = (cluster: TestCluster, keyId: string) =>
  [...cluster.nodes.values()].flatMap((node) => {
    const key = allHeldKeys(node).find((each) => each.keyId === keyId);
    return key === undefined ? [] : [`${node.self} ${key.state}`];
  });

const stolen = (cluster: TestCluster, envelopes: Envelopes = sealed, change = {}, seed = "stolen") =>
  imported(cluster, { envelopes, change: { ...ORGANISATION_B, ...change }, seed });

/** Expects a refusal that reveals nothing about the first sender of the envelopes. */
const expectRefused = (cluster: TestCluster, outcome: ReturnType<typeof imported>): void => {
  expect(outcome.problem?.code).toBe("KeyImportEnvelopesUsed");
  expect(Object.keys(outcome.problem?.details ?? {})).toEqual(["signer"]);
  expect(JSON.stringify(outcome.problem)).not.toMatch(/key-|or-/);
  expect(holdersOf(cluster, ORGANISATION_B.keyId)).toEqual([]);
};

describe("INV-11 an orchestrator that saw the envelopes of an import and sends them again from another organisation", () => {
  test("gets no key: every honest signer refuses what it took for another", () => {
    const cluster = new TestCluster({ seed: "replay" });
    expect(imported(cluster, { envelopes: sealed }).result?.keyId).toBe(PASSING_KEY);
    expectRefused(cluster, stolen(cluster));
    expect(holdersOf(cluster, PASSING_KEY)).toHaveLength(5);
  });

  test("gets none after all signers were started anew", () => {
    const cluster = new TestCluster({ seed: "restarted" });
    imported(cluster, { envelopes: sealed });
    cluster.kill(1, 2, 3, 4, 5);
    cluster.restart(1, 2, 3, 4, 5);
    expectRefused(cluster, stolen(cluster));
  });

  test("gets none when a single signer still remembers, the others having lost their disks", () => {
    const cluster = new TestCluster({ seed: "forgetful" });
    const before = new Map([...cluster.nodes].map(([party, { records }]) => [party, new Map(records)]));
    imported(cluster, { envelopes: sealed });
    cluster.kill(1, 2, 4, 5);
    for (const signer of [1, 2, 4, 5]) {
      cluster.node(signer).restore(before.get(testParty(signer)) ?? new Map());
      cluster.restart(signer);
    }
    expectRefused(cluster, stolen(cluster));
  });

  test("gets none when the first import failed in its middle", () => {
    const cluster = new TestCluster({ seed: "middle" });
    cluster.wire = cheating(3, ({ round, kind }) => round === 3 && kind === 1);
    expect(imported(cluster, { envelopes: sealed }).problem?.code).toBe("KeyImportFailed");
    cluster.wire = (transit) => [transit];
    cluster.rest(1_000);
    expectRefused(cluster, stolen(cluster));
  });

  test("gets none when the first import was discarded before it was active", () => {
    const cluster = new TestCluster({ seed: "discarded", engine: "tiny" });
    const outcome = importOn(cluster, { envelopes: sealed });
    cluster.until(() => holdersOf(cluster, PASSING_KEY).length === 5);
    outcome.die();
    for (const signer of cluster.nodes.keys()) {
      cluster.call(signer, (call) => ({ kind: "discard-key", call, keyId: PASSING_KEY }));
    }
    cluster.until(() => holdersOf(cluster, PASSING_KEY).length === 0);
    expectRefused(cluster, stolen(cluster));
  });

  test.each<readonly [string, object]>([
    ["the words of older clients", { protocol: "CGGMP21" }],
    ["another scheme of the same curve", { scheme: "FROST-Taproot", protocol: "FROST_BITCOIN" }],
  ])("gets none with %s", (_, change) => {
    const cluster = new TestCluster({ seed: "words", engine: "tiny" });
    imported(cluster, { envelopes: sealed });
    expectRefused(cluster, stolen(cluster, sealed, change));
  });

  test("gets none when all envelopes but one are replaced, and that one bears another ciphertext", () => {
    const cluster = new TestCluster({ seed: "mutated", engine: "tiny" });
    imported(cluster, { envelopes: sealed });
    const own = sealAll(dealtFor(CGGMP24, 5, 3, "of the thief"), "thief");
    const kept = sealed.get(testParty(4)) ?? expect.fail();
    const bent = [kept, kept.with(0, (kept[0] ?? 0) ^ 1), kept.slice(1)];
    for (const [at, envelope] of bent.entries()) {
      const envelopes = new Map(own).set(testParty(4), envelope);
      expectRefused(cluster, stolen(cluster, envelopes, {}, `bent ${at}`));
    }
  });

  test("gets the key by sending them first, and then the client learns it: its own import is refused", () => {
    const cluster = new TestCluster({ seed: "race" });
    expect(stolen(cluster).result?.keyId).toBe(ORGANISATION_B.keyId);
    const outcome = imported(cluster, { envelopes: sealed });
    expect(outcome.problem?.code).toBe("KeyImportEnvelopesUsed");
    expect(holdersOf(cluster, PASSING_KEY)).toEqual([]);
  });
});

describe("an import that is tried again", () => {
  test("under the same key id takes the same envelopes, after a failure and a restart", () => {
    const cluster = new TestCluster({ seed: "again" });
    const outcome = importOn(cluster, { envelopes: sealed });
    cluster.until(() => cluster.sent.some(({ from, round }) => from === 2 && round === 3));
    cluster.kill(2);
    cluster.until(() => outcome.problem !== undefined);
    cluster.restart(2);
    cluster.until(() => outcome.isClosed);
    cluster.rest(1_000); // the first coordinator's last calls discard the shares that they find
    expect(imported(cluster, { envelopes: sealed, seed: "2" }).result?.keyId).toBe(PASSING_KEY);
  });

  test("takes the same envelopes under another key id when no signer had begun the first", () => {
    const cluster = new TestCluster({ seed: "away", engine: "tiny" });
    cluster.kill(4);
    expect(importOn(cluster, { envelopes: sealed }).problem?.code).toBe("SignersUnavailable");
    cluster.restart(4);
    expect(stolen(cluster).result?.keyId).toBe(ORGANISATION_B.keyId);
  });

  test("into another organisation takes fresh envelopes of the same key", () => {
    const cluster = new TestCluster({ seed: "moved" });
    const first = imported(cluster, { envelopes: sealed });
    const fresh = sealAll(dealtFor(CGGMP24, 5, 3), "fresh");
    expect(stolen(cluster, fresh).result?.publicKey).toEqual(first.result?.publicKey);
  });
});

test("a refused replay writes nothing: no session id, no envelope", () => {
  const cluster = new TestCluster({ seed: "nothing", engine: "tiny" });
  imported(cluster, { envelopes: sealed });
  const before = [...cluster.nodes.values()].map(({ records }) => new Map(records));
  stolen(cluster);
  expect([...cluster.nodes.values()].map(({ records }) => new Map(records))).toEqual(before);
  const envelopes = [...(before[0] ?? new Map()).keys()].filter((name) => RECORDS.envelope.idOf(name));
  expect(envelopes).toHaveLength(1);
});
