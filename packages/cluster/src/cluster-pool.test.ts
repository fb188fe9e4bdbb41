import { SIGNING_ROUND } from "@conclave/threshold";
import { describe, expect, test } from "vitest";
import { ORPHAN_AGE_MS } from "./coordinator/limits.ts";
import { inventoryOf, orphansOf } from "./coordinator/presigning/inventory.ts";
import { nextToFill, type StockConfig, type StockView } from "./coordinator/presigning/stock.ts";
import type { PresignatureSet } from "./signer/presigning/pool.ts";
import { cheating } from "./testing/cheats.ts";
import { TestCluster } from "./testing/cluster.ts";
import { generateAuxiliaryOn, listingsOf, presignOn, signOn, stockOn } from "./testing/drive.ts";
import { KEY_ID, transactionOf } from "./testing/fixtures.ts";

const openTiny = (size = 3, threshold = 2): TestCluster =>
  new TestCluster({ seed: "pool", size, threshold, engine: "tiny" });

const isDone = (...outcomes: readonly { readonly isClosed: boolean }[]): boolean =>
  outcomes.every(({ isClosed }) => isClosed);

/** For each presignature, the digests of all partial signatures that signers sent. */
const digestsOf = ({ ledger }: TestCluster): ReadonlyMap<string, ReadonlySet<string>> => {
  const digests = new Map<string, Set<string>>();
  for (const { presignature, digest } of ledger.partials) {
    if (presignature === undefined) continue;
    digests.set(presignature, (digests.get(presignature) ?? new Set()).add(digest));
  }
  return digests;
};

describe("a pool of presignatures", () => {
  test("with real cryptography signs a transaction in one round, and the presignature is gone everywhere", () => {
    const cluster = new TestCluster({ seed: "pooled", size: 3, threshold: 2 });
    const presignatures = stockOn(cluster, [[1, 3]]);
    const outcome = signOn(cluster, { presignatures });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toMatchObject({
      attempts: 1,
      quorum: [1, 3],
      path: { kind: "pooled", presignatures: [presignatures[0]?.id] },
    });
    expect(cluster.sent.filter(({ round }) => round === SIGNING_ROUND)).toHaveLength(2);
    expect(inventoryOf(listingsOf(cluster), cluster.world.nowMs())).toEqual([]);
  });

  test("INV-7 names a signer whose partial signature is wrong, and takes what was made without it", () => {
    const cluster = new TestCluster({ seed: "pooled-cheat", size: 3, threshold: 2 });
    const presignatures = stockOn(cluster, [
      [1, 2],
      [1, 3],
    ]);
    const lie = cheating(2, ({ round }) => round === SIGNING_ROUND);
    // the cheat receives no partial signature, so it has no signature to report before the other reports the cheat
    cluster.wire = (transit) =>
      transit.to === 2 && transit.envelope.round === SIGNING_ROUND ? [] : lie(transit);
    const outcome = signOn(cluster, { presignatures });
    cluster.until(() => outcome.isClosed);
    expect(outcome.faults.map(({ verdict }) => verdict.culprit)).toEqual([2]);
    expect(outcome.result).toMatchObject({ attempts: 2, quorum: [1, 3], path: { kind: "pooled" } });
  });

  test("signs at once when every message comes twice", () => {
    const cluster = openTiny();
    const presignatures = stockOn(cluster, [[1, 2]]);
    cluster.wire = (transit) => [transit, { ...transit, delayMs: transit.delayMs + 3 }];
    const outcome = signOn(cluster, { presignatures, isTiny: true });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toMatchObject({ attempts: 1, path: { kind: "pooled" } });
  });

  test("that is empty is no hindrance: the session is interactive", () => {
    const cluster = openTiny();
    const outcome = signOn(cluster, { isTiny: true, presignatures: [] });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result?.path).toEqual({ kind: "interactive" });
  });

  test("INV-2 P6 two coordinators that race for one presignature both get their signature, one of them with another", () => {
    const cluster = openTiny();
    const [shared, spare] = stockOn(cluster, [
      [1, 2],
      [1, 2],
    ]);
    if (shared === undefined || spare === undefined) throw new Error("two were made");
    const [one, two] = [1, 2].map((request) =>
      signOn(cluster, {
        isTiny: true,
        request,
        seed: `race/${request}`,
        transaction: transactionOf(request),
        presignatures: [shared, ...(request === 2 ? [spare] : [])],
      }),
    );
    if (one === undefined || two === undefined) throw new Error("two were begun");
    cluster.until(() => isDone(one, two));
    const paths = [one, two].map(({ result }) => result?.path);
    expect(
      paths.filter((path) => path?.kind === "pooled" && path.presignatures.includes(shared.id)).length,
    ).toBeLessThan(2);
    expect(
      [one.result?.attempts, two.result?.attempts].filter((attempts) => attempts === 1).length,
    ).toBeLessThan(2);
    expect(paths).not.toContain(undefined);
  });

  test("INV-2 P6 an orchestrator that asks for a second digest is refused and named, restart or not", () => {
    const cluster = openTiny();
    const presignatures = stockOn(cluster, [[1, 2]]);
    const first = signOn(cluster, { isTiny: true, presignatures });
    cluster.until(() => first.isClosed);
    cluster.kill(1);
    cluster.restart(1);
    const second = signOn(cluster, {
      isTiny: true,
      presignatures,
      request: 2,
      seed: "second",
      transaction: transactionOf(8),
    });
    cluster.until(() => second.isClosed);
    expect(second.result).toMatchObject({ attempts: 2, path: { kind: "interactive" } });
    const reused = [...cluster.nodes.values()].map(({ state }) => state?.pool.reused ?? 0);
    expect(Math.max(...reused)).toBe(1);
  });

  test("P15 a dead signer's presignatures are passed over, and one without it is taken", () => {
    const cluster = openTiny();
    const presignatures = stockOn(cluster, [
      [1, 2],
      [2, 3],
    ]);
    cluster.kill(1);
    const outcome = signOn(cluster, { isTiny: true, presignatures });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toMatchObject({ attempts: 1, quorum: [2, 3], path: { kind: "pooled" } });
  });

  test("INV-7 a signer that dies in the online round costs the presignature, and the next is taken at once", () => {
    const cluster = openTiny();
    const presignatures = stockOn(cluster, [
      [1, 2],
      [2, 3],
    ]);
    const outcome = signOn(cluster, { isTiny: true, presignatures });
    cluster.wire = (transit) => (transit.from === 1 ? [] : [transit]);
    cluster.until(() => cluster.ledger.partials.some(({ signer }) => signer === 1));
    cluster.kill(1);
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toMatchObject({ attempts: 2, quorum: [2, 3], path: { kind: "pooled" } });
    expect(outcome.faults).toEqual([]);
  });

  test("INV-2 new auxiliary info burns what was made with the old, and an online round under way ends well or not at all", () => {
    const cluster = openTiny();
    const presignatures = stockOn(cluster, [
      [1, 2],
      [1, 2],
    ]);
    const outcome = signOn(cluster, { isTiny: true, presignatures: presignatures.slice(0, 1) });
    cluster.wire = (transit) => [{ ...transit, delayMs: transit.delayMs + 300 }];
    cluster.until(() => cluster.ledger.partials.length > 0);
    cluster.wire = (transit) => [transit];
    const renewed = generateAuxiliaryOn(cluster, "renewal", 1);
    cluster.until(() => isDone(outcome, renewed));
    expect(inventoryOf(listingsOf(cluster), cluster.world.nowMs())).toEqual([]);
    const late = signOn(cluster, {
      isTiny: true,
      request: 2,
      seed: "late",
      presignatures: presignatures.slice(1),
    });
    cluster.until(() => late.isClosed);
    expect(late.result?.path).toEqual({ kind: "interactive" });
    expect([...digestsOf(cluster).values()].every(({ size }) => size === 1)).toBe(true);
  });

  test("has no orphans for long: the coordinator has the others burn what one signer lacks", () => {
    const cluster = openTiny();
    stockOn(cluster, [
      [1, 2],
      [2, 3],
    ]);
    cluster.kill(1);
    for (const record of [...cluster.node(1).records.keys()]) {
      if (record.startsWith("presignature/")) cluster.node(1).records.delete(record);
    }
    expect(orphansOf(listingsOf(cluster), cluster.world.nowMs() + 2 * ORPHAN_AGE_MS).size).toBe(0);
    cluster.restart(1);
    expect(orphansOf(listingsOf(cluster), cluster.world.nowMs()).size).toBe(0);
    const orphans = orphansOf(listingsOf(cluster), cluster.world.nowMs() + 2 * ORPHAN_AGE_MS);
    expect([...orphans.keys()]).toEqual([2]);
    const [ids = []] = orphans.values();
    const { heard } = cluster.call(2, (call) => ({ kind: "discard-presignatures", call, ids }));
    cluster.rest(50);
    expect(heard).toEqual([{ kind: "presignatures-discarded", count: 1 }]);
    expect(inventoryOf(listingsOf(cluster), cluster.world.nowMs()).map(({ signers }) => signers)).toEqual([
      [2, 3],
    ]);
  });
});

describe("presigning", () => {
  test("that a signer does not live to finish leaves no presignature at the others", () => {
    const cluster = openTiny();
    const outcome = presignOn(cluster, [1, 2]);
    const node = cluster.node(2);
    cluster.until(() => cluster.sent.length >= 2);
    node.kill();
    cluster.until(() => outcome.isClosed);
    cluster.rest(100);
    expect(outcome.problem?.code).toBe("ServiceUnavailable");
    expect([...listingsOf(cluster).values()].flat()).toEqual([]);
  });
});

describe.each([
  [3, 2],
  [4, 2],
  [4, 3],
  [5, 3],
])("the stock of %i signers with a threshold of %i", (size, threshold) => {
  test("leaves ready presignatures whichever signer dies", () => {
    const cluster = openTiny(size, threshold);
    const config: StockConfig = {
      parties: cluster.live,
      threshold,
      lowWater: 1,
      highWater: 1,
      totalMax: 100,
      atOnceMax: 1,
    };
    const made: PresignatureSet[] = [];
    for (;;) {
      const inventory = inventoryOf(listingsOf(cluster), cluster.world.nowMs());
      const view: StockView = {
        usable: new Set(cluster.live),
        isApart: () => false,
        slowness: () => 0,
        hasFailed: () => false,
        keys: [{ keyId: KEY_ID, weight: 1 }],
        inventory,
        underWay: [],
        live: "none",
        begunSince: 0,
        filling: new Set(),
      };
      const { next } = nextToFill(config, view);
      if (next === undefined) break;
      stockOn(cluster, [next.signers]);
      made.push(next);
    }
    expect(made.length).toBe(size);
    const presignatures = inventoryOf(listingsOf(cluster), cluster.world.nowMs());
    for (const dead of cluster.live) {
      expect(presignatures.some(({ signers }) => !signers.includes(dead))).toBe(true);
    }
    cluster.kill(2);
    const outcome = signOn(cluster, { isTiny: true, presignatures });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toMatchObject({ attempts: 1, path: { kind: "pooled" } });
  });
});
