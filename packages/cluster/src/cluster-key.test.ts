import { describe, expect, test } from "vitest";
import { SharedStandings } from "./interpreter/shared-standings.ts";
import { AUXILIARY_ID, RECORDS } from "./signer/records/record.ts";
import { cheating } from "./testing/cheats.ts";
import { TestCluster } from "./testing/cluster.ts";
import { generateAuxiliaryOn, generateKeyOn, signOn } from "./testing/drive.ts";
import { keyIdOf } from "./testing/fixtures.ts";
import { allHeldKeys } from "./testing/held-keys.ts";

const KEY = keyIdOf(2);

const keyStates = (cluster: TestCluster): readonly (string | undefined)[] =>
  [...cluster.nodes.values()].map((node) =>
    !node.isAlive ? "dead" : allHeldKeys(node).find(({ keyId }) => keyId === KEY)?.state,
  );

describe("key generation with real cryptography", () => {
  test("gives every signer an active share of one key, and the key signs", () => {
    const cluster = new TestCluster({ seed: "keygen" });
    const made = generateKeyOn(cluster, KEY);
    cluster.until(() => made.isClosed);
    expect(keyStates(cluster)).toEqual(Array.from({ length: 5 }, () => "active"));
    const publicKey = made.result?.publicKey ?? new Uint8Array(33);
    const signed = signOn(cluster, { keyId: KEY, publicKey });
    cluster.until(() => signed.isClosed);
    expect(signed.result?.attempts).toBe(1);
  });

  test("is refused at once, with the name of the dead signer, and begins nothing", () => {
    const cluster = new TestCluster({ seed: "dead" });
    cluster.kill(4);
    const made = generateKeyOn(cluster, KEY);
    expect(made.problem).toMatchObject({
      code: "SignersUnavailable",
      details: { unavailable: ["signer-4"] },
    });
    expect(made.calls).toEqual([]);
    expect(made.isClosed).toBe(true);
  });

  test("leaves nothing pending when a signer dies in the middle", () => {
    const cluster = new TestCluster({ seed: "middle" });
    const made = generateKeyOn(cluster, KEY);
    cluster.until(() => cluster.sent.some(({ from, round }) => from === 2 && round === 3));
    cluster.kill(2);
    cluster.until(() => made.problem !== undefined);
    expect(made.problem).toMatchObject({
      code: "SignersUnavailable",
      details: { unavailable: ["signer-2"] },
    });
    cluster.restart(2);
    cluster.until(() => made.isClosed);
    expect(keyStates(cluster)).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  test("INV-7 names a signer that cheats, and leaves nothing pending", () => {
    const cluster = new TestCluster({ seed: "cheat" });
    cluster.wire = cheating(3, ({ round, kind }) => round === 2 && kind === 1);
    const standings = new SharedStandings();
    const made = generateKeyOn(cluster, KEY, "1", "ECDSA", standings);
    cluster.until(() => made.isClosed);
    expect(made.problem).toMatchObject({ code: "KeyGenerationFailed", details: { signer: "signer-3" } });
    // the same coordinator process then signs without it
    expect([...standings.now].filter(([, { isBlamed }]) => isBlamed).map(([signer]) => signer)).toEqual([3]);
    expect(new Set(made.faults.map(({ verdict }) => verdict.culprit))).toEqual(new Set([3]));
    expect(keyStates(cluster)).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});

describe("a key coordinator that takes up what another left", () => {
  const open = (seed: string) => new TestCluster({ seed, engine: "tiny" });

  test("activates everywhere a key that is active anywhere", () => {
    const cluster = open("resume-active");
    const made = generateKeyOn(cluster, KEY);
    cluster.until(() => keyStates(cluster).includes("active") && keyStates(cluster).includes("pending"));
    const resumed = generateKeyOn(cluster, KEY, "2");
    cluster.until(() => made.isClosed && resumed.isClosed);
    expect(resumed.result?.publicKey).toEqual(made.result?.publicKey);
    expect(keyStates(cluster)).toEqual(Array.from({ length: 5 }, () => "active"));
  });

  test("discards the shares of a run that never finished, and makes the key afresh", () => {
    const cluster = open("resume-pending");
    const left = generateKeyOn(cluster, KEY);
    cluster.until(() => keyStates(cluster).includes("pending"));
    left.die();
    const held = keyStates(cluster).filter((state) => state === "pending");
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThan(5);
    const made = generateKeyOn(cluster, KEY, "2");
    cluster.until(() => made.isClosed);
    expect(keyStates(cluster)).toEqual(Array.from({ length: 5 }, () => "active"));
  });

  test("INV-5 leaves a run that is still under way alone: the key is made, and nobody says that it failed", () => {
    const cluster = open("side-by-side");
    const first = generateKeyOn(cluster, KEY);
    cluster.until(() => [...cluster.nodes.values()].every(({ state }) => state?.sessions.size === 1));
    const second = generateKeyOn(cluster, KEY, "2");
    cluster.until(() => first.isClosed && second.isClosed);
    expect([first.problem, second.problem, second.result]).toEqual([undefined, undefined, undefined]);
    expect(keyStates(cluster)).toEqual(Array.from({ length: 5 }, () => "active"));
  });

  test("INV-5 whose sessions cross another's ends, as that one does, and the next makes the key", () => {
    const cluster = open("crossing");
    const runs = [generateKeyOn(cluster, KEY), generateKeyOn(cluster, KEY, "2")];
    cluster.until(() => runs.every(({ isClosed }) => isClosed));
    expect(runs.map(({ problem }) => problem)).toEqual([undefined, undefined]);
    const next = generateKeyOn(cluster, KEY, "3");
    cluster.until(() => next.isClosed);
    expect([next.problem, keyStates(cluster)]).toEqual([
      undefined,
      Array.from({ length: 5 }, () => "active"),
    ]);
  });

  test("waits, and says for whom, while a signer that holds a pending share is down", () => {
    const cluster = open("wait-activation");
    const made = generateKeyOn(cluster, KEY);
    cluster.until(() => keyStates(cluster).every((state) => state === "pending"));
    cluster.kill(5);
    cluster.rest(5_000);
    expect(made.waiting).toEqual(["waiting for signer-5 to activate the key"]);
    cluster.restart(5);
    cluster.until(() => made.isClosed);
    expect(keyStates(cluster)).toEqual(Array.from({ length: 5 }, () => "active"));
  });
});

describe("auxiliary generation", () => {
  test("with real cryptography gives three signers the same public material, durable before it is reported", () => {
    const cluster = new TestCluster({ seed: "auxiliary", size: 3, threshold: 2, records: "none" });
    const made = generateAuxiliaryOn(cluster);
    cluster.until(() => made.isClosed);
    expect(made.result?.epoch).toBe(1);
    for (const { records } of cluster.nodes.values()) {
      const record = RECORDS.auxiliary.name(AUXILIARY_ID);
      const value = records.get(record);
      expect(value === undefined ? undefined : RECORDS.auxiliary.read({ record, value }).digest).toEqual(
        made.result?.digest,
      );
    }
  });

  test("is done at once when all hold the same, and with the authority replaces it when one lost its own", () => {
    const cluster = new TestCluster({ seed: "aux-again", engine: "tiny" });
    expect(generateAuxiliaryOn(cluster).calls).toEqual([]);
    cluster.kill(2);
    cluster.node(2).records.delete(RECORDS.auxiliary.name(AUXILIARY_ID));
    cluster.restart(2);
    const made = generateAuxiliaryOn(cluster, "1", 1);
    cluster.until(() => made.isClosed);
    expect(made.result?.epoch).toBe(2);
  });
});
