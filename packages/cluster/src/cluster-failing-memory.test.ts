import type { PartyIndex } from "@conclave/threshold";
import { Secret } from "@conclave/threshold";
import { describe, expect, test } from "vitest";
import type { ComputeResult } from "./compute/task.ts";
import { signerStatus } from "./signer/signer.ts";
import { TestCluster } from "./testing/cluster.ts";
import { generateAuxiliaryOn, generateKeyOn } from "./testing/drive.ts";
import { refreshOn } from "./testing/drive-key-change.ts";
import { keyIdOf } from "./testing/fixtures.ts";
import { allHeldKeys, allNextShares } from "./testing/held-keys.ts";

const FAILING = 2;
const NEW_KEY = keyIdOf(9);

/** These bytes with one bit flipped; a negative position counts from their end. */
const flipped = (bytes: Secret<Uint8Array>, at: number): Secret<Uint8Array> => {
  const before = bytes.reveal();
  const place = at < 0 ? before.length + at : at;
  return new Secret(before.with(place, (before[place] ?? 0) ^ 1));
};

/** Failing memory of signer 2 changes the bytes that are about to be stored. */
const failing =
  (at: number) =>
  (signer: PartyIndex, result: ComputeResult): ComputeResult => {
    if (signer !== FAILING) return result;
    if (result.kind === "auxiliary") return { ...result, info: flipped(result.info, at) };
    if (result.kind === "key" || result.kind === "key-changed") {
      return { ...result, share: flipped(result.share, at) };
    }
    return result;
  };

const open = (at: number) => {
  const cluster = new TestCluster({ seed: "failing memory", size: 3, threshold: 2, damage: failing(at) });
  const failures: string[] = [];
  const receipts: string[] = [];
  cluster.speak = (signer, report) => {
    if (signer !== FAILING) return report;
    if (report.kind === "failure") failures.push(report.reason);
    if (["key", "key-changed", "auxiliary"].includes(report.kind)) receipts.push(report.kind);
    return report;
  };
  return { cluster, failures, receipts };
};

/** The secret share, whose share it is, the last byte of the chain code, and a byte of the key's id or the moduli. */
const PLACES = [-1, -20, -33, -34, 30];

describe.each(PLACES)("a bit at %d of what is to be stored changes in one signer's memory", (at) => {
  test("a new key: the session fails, and the share is neither stored nor reported", () => {
    const { cluster, failures, receipts } = open(at);
    const made = generateKeyOn(cluster, NEW_KEY);
    cluster.until(() => failures.length > 0);
    made.die();
    cluster.rest(1_000);
    expect(failures[0]).toContain("memory of this signer may be failing");
    expect(receipts).toEqual([]);
    expect(allHeldKeys(cluster.node(FAILING)).map(({ keyId }) => keyId)).not.toContain(NEW_KEY);
  });

  test("a refresh: the session fails, nothing is stored, and no receipt is signed", () => {
    const { cluster, failures, receipts } = open(at);
    const changed = refreshOn(cluster);
    cluster.until(() => failures.length > 0);
    changed.die();
    cluster.rest(1_000);
    expect(failures[0]).toContain("memory of this signer may be failing");
    expect(receipts).toEqual([]);
    expect(allNextShares(cluster.node(FAILING))).toEqual([]);
  });

  test("auxiliary information: the session fails, nothing is stored, and no receipt is signed", () => {
    const { cluster, failures, receipts } = open(at);
    const renewed = generateAuxiliaryOn(cluster, "1", 1);
    cluster.until(() => failures.length > 0);
    renewed.die();
    cluster.rest(1_000);
    expect(failures[0]).toContain("memory of this signer may be failing");
    expect(receipts).toEqual([]);
    const { state = expect.fail("it lives") } = cluster.node(FAILING);
    expect(signerStatus(state).auxiliary).toMatchObject({ epoch: 1, pending: [] });
  });
});
