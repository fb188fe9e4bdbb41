import type { PartyIndex } from "@conclave/threshold";
import { openedWith } from "@conclave/threshold/testing";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { RECORDS } from "./signer/records/record.ts";
import { TestCluster } from "./testing/cluster.ts";
import { signOn } from "./testing/drive.ts";
import { refreshOn } from "./testing/drive-key-change.ts";
import { KEY_ID } from "./testing/fixtures.ts";
import { allHeldKeys } from "./testing/held-keys.ts";
import {
  CLIENT,
  exportIdOf,
  exportOn,
  honestEnvelopes,
  importOn,
  PASSING_KEY,
} from "./testing/key-passage.ts";

/** Arithmetic of another library than the signers'. */
const { Fn } = secp256k1.Point;

const scalar = z.strictObject({ curve: z.literal("secp256k1"), scalar: z.string().regex(/^[0-9a-f]{64}$/) });
const shareSchema = z.strictObject({ version: z.literal(1), index: scalar, secret_share: scalar });

/** The public key of the shares that the client finds in the envelopes. */
const publicKeyFrom = (envelopes: readonly Uint8Array[]): Uint8Array => {
  const shares = envelopes.map((envelope) => {
    const { index, secret_share } = shareSchema.parse(openedWith(CLIENT, envelope));
    return { at: BigInt(`0x${index.scalar}`), value: BigInt(`0x${secret_share.scalar}`) };
  });
  const secret = shares.reduce((sum, { at, value }) => {
    const others = shares.filter((other) => other.at !== at);
    const lambda = others.reduce(
      (product, other) => Fn.mul(product, Fn.div(other.at, Fn.sub(other.at, at))),
      1n,
    );
    return Fn.add(sum, Fn.mul(lambda, value));
  }, 0n);
  return secp256k1.getPublicKey(Fn.toBytes(secret));
};

/** A cluster that holds a key, dealt or imported, under the id of the tests' exports. */
const holding = (seed: string, options: Partial<ConstructorParameters<typeof TestCluster>[0]> = {}) => {
  const cluster = new TestCluster({ seed, ...options });
  const imported = importOn(cluster, { envelopes: honestEnvelopes() });
  cluster.until(() => imported.isClosed);
  return { cluster, publicKey: imported.result?.publicKey ?? expect.fail(JSON.stringify(imported.problem)) };
};

const exported = (cluster: TestCluster, wish: Parameters<typeof exportOn>[1] = {}) => {
  const outcome = exportOn(cluster, wish);
  cluster.until(() => outcome.isClosed);
  return outcome;
};

/** The exports of the key that the signers recorded. */
const onRecord = (cluster: TestCluster, keyId = PASSING_KEY) =>
  [...cluster.nodes.values()].map(({ records }) => {
    const record = RECORDS.key.name(keyId);
    const value = records.get(record) ?? expect.fail("the key is stored");
    return (RECORDS.key.read({ record, value }).exports ?? []).map(({ requestId }) => requestId);
  });

const all = <T>(value: T, count = 5): readonly T[] => Array.from({ length: count }, () => value);

describe("an export", () => {
  test("gives the client an envelope of every signer, any three of which make up the key", () => {
    const { cluster, publicKey } = holding("export");
    const { result } = exported(cluster);
    expect(result?.publicKey).toEqual(publicKey);
    const envelopes = [...(result?.envelopes ?? new Map<PartyIndex, Uint8Array>())];
    expect(envelopes.map(([signer]) => signer)).toEqual([1, 2, 3, 4, 5]);
    const sealed = envelopes.map(([, envelope]) => envelope);
    expect(publicKeyFrom(sealed.slice(0, 3))).toEqual(publicKey);
    expect(publicKeyFrom(sealed.slice(2))).toEqual(publicKey);
    expect(publicKeyFrom(sealed.slice(0, 2))).not.toEqual(publicKey); // INV-1
    expect(onRecord(cluster)).toEqual(all([exportIdOf(1)]));
  });

  test("takes those that are live when a threshold is, and marks the key at those alone", () => {
    const { cluster, publicKey } = holding("some");
    cluster.kill(1, 4);
    const { result } = exported(cluster);
    const envelopes = result?.envelopes ?? new Map<PartyIndex, Uint8Array>();
    expect([...envelopes.keys()]).toEqual([2, 3, 5]);
    expect(publicKeyFrom([...envelopes.values()])).toEqual(publicKey);
    expect(onRecord(cluster)).toEqual([[], [exportIdOf(1)], [exportIdOf(1)], [], [exportIdOf(1)]]);
  });

  test("asks nobody while fewer than a threshold are live: no share leaves for nothing", () => {
    const { cluster } = holding("few");
    cluster.kill(1, 2, 4);
    const outcome = exported(cluster);
    expect(outcome.problem).toMatchObject({ code: "SignersUnavailable" });
    expect(outcome.calls).toEqual([]);
  });

  test("goes on without a signer that dies in it", () => {
    const { cluster } = holding("dies");
    cluster.node(5).diesAt = cluster.node(5).effectsDone + 1;
    expect([...(exported(cluster).result?.envelopes.keys() ?? [])]).toEqual([1, 2, 3, 4]);
  });

  test("may be asked again: the same request is answered, and stands on record once", () => {
    const { cluster, publicKey } = holding("again");
    exported(cluster);
    const { result } = exported(cluster, { seed: "2" });
    expect(publicKeyFrom([...(result?.envelopes.values() ?? [])].slice(0, 3))).toEqual(publicKey);
    expect(onRecord(cluster)).toEqual(all([exportIdOf(1)]));
    exported(cluster, { seed: "3", requestId: exportIdOf(2) });
    expect(onRecord(cluster)).toEqual(all([exportIdOf(1), exportIdOf(2)]));
  });

  test("of a key that the signers made works alike", () => {
    const cluster = new TestCluster({ seed: "made" });
    const { result } = exported(cluster, { keyId: KEY_ID });
    expect(publicKeyFrom([...(result?.envelopes.values() ?? [])].slice(1, 4))).toEqual(result?.publicKey);
    const signed = signOn(cluster);
    cluster.until(() => signed.isClosed);
    expect(signed.result).toBeDefined(); // the key still signs afterwards
  });

  test("stays on record when the key has new shares, and gives those then", () => {
    const { cluster, publicKey } = holding("epochs");
    exported(cluster);
    const refreshed = refreshOn(cluster, { key: { keyId: PASSING_KEY, publicKey } });
    cluster.until(() => refreshed.isClosed);
    expect(refreshed.result?.epoch).toBe(2);
    const keys = [...cluster.nodes.values()].map((node) =>
      !node.isAlive ? undefined : allHeldKeys(node).find(({ keyId }) => keyId === PASSING_KEY),
    );
    expect(keys.map((key) => [key?.epoch, key?.isImported, key?.isExported])).toEqual(all([2, true, true]));
    const { result } = exported(cluster, { seed: "2" });
    expect(publicKeyFrom([...(result?.envelopes.values() ?? [])].slice(0, 3))).toEqual(publicKey);
  });

  test.each([
    [3, "is done by a threshold of them"],
    [2, "is nobody's, and says who refuses"],
  ])("that %i operators allow %s", (count) => {
    const { cluster } = holding(`allowed/${count}`, {
      configure: (config) => (config.self > count ? { ...config, keyExport: "refused" } : config),
    });
    const outcome = exported(cluster);
    const signers = [...(outcome.result?.envelopes.keys() ?? [])];
    expect([signers, outcome.problem?.code]).toEqual(
      count === 3 ? [[1, 2, 3], undefined] : [[], "KeyExportDisabled"],
    );
    if (count === 2) expect(outcome.problem?.details["signer"]).toMatch(/^signer-[345]$/);
  });

  test("INV-10 holds nothing of a share in clear", () => {
    const { cluster } = holding("sealed");
    const { result } = exported(cluster);
    const sealed = [...(result?.envelopes.values() ?? [])].map(bytesToHex).join();
    const plain = [...(result?.envelopes.values() ?? [])].map((envelope) =>
      shareSchema.parse(openedWith(CLIENT, envelope)),
    );
    expect(plain.filter(({ secret_share }) => sealed.includes(secret_share.scalar))).toEqual([]);
  });
});
