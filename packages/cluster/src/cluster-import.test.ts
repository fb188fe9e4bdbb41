import {
  CGGMP24,
  decode,
  encodeBase64,
  FROST_ED25519,
  FROST_TAPROOT,
  type GroupPoint,
  keyShareCodec,
  type PartyIndex,
  type Scheme,
  Secret,
  withScheme,
} from "@conclave/threshold";
import { type ClientPlaintext, openedWith, testParty } from "@conclave/threshold/testing";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import vectors from "../../../test/vectors/key-import.json" with { type: "json" };
import { RECORDS } from "./signer/records/record.ts";
import { cheating } from "./testing/cheats.ts";
import { TestCluster } from "./testing/cluster.ts";
import { generateKeyOn, signOn } from "./testing/drive.ts";
import { allHeldKeys } from "./testing/held-keys.ts";
import {
  dealtFor,
  type Envelopes,
  honestEnvelopes,
  type ImportTerms,
  importOn,
  listingOf,
  PASSING_KEY,
  type Plaintexts,
  sealAll,
} from "./testing/key-passage.ts";
import { signMessageOn } from "./testing/message-drive.ts";

type Vector = (typeof vectors.vectors)[number];

/** The key as each live signer holds it. */
const heldBy = (cluster: TestCluster) =>
  [...cluster.nodes.values()].map((node) => allHeldKeys(node).find(({ keyId }) => keyId === PASSING_KEY));

/** The records of the key on each signer's disk. */
const storedBy = (cluster: TestCluster) =>
  [...cluster.nodes.values()].flatMap(({ records }) => {
    const record = RECORDS.key.name(PASSING_KEY);
    const value = records.get(record);
    return value === undefined ? [] : [RECORDS.key.read({ record, value })];
  });

const secretsOf = <P extends GroupPoint<P>>(scheme: Scheme<P>, cluster: TestCluster): readonly bigint[] =>
  storedBy(cluster).map(({ share }) => {
    const decoded = decode(keyShareCodec(scheme), share.reveal());
    return decoded.ok ? decoded.value.secretShare.reveal() : expect.fail(decoded.reason);
  });

/** Runs an import to its end. */
const imported = (cluster: TestCluster, wish: Parameters<typeof importOn>[1]) => {
  const outcome = importOn(cluster, wish);
  cluster.until(() => outcome.isClosed);
  return outcome;
};

/** Shares that an independent client dealt, by place, sealed anew to the signers of a test. */
const ofVector = ({ signers, encryptedKeyShares }: Vector): Plaintexts => {
  const bytesOf = (base64: string): Uint8Array =>
    Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const byId = <T extends { readonly signerId: string }>(list: readonly T[]): readonly T[] =>
    [...list].sort((a, b) => (bytesToHex(bytesOf(a.signerId)) < bytesToHex(bytesOf(b.signerId)) ? -1 : 1));
  const dealt = byId(signers).map(({ signerId, decryptionKey }) => {
    const entry = encryptedKeyShares.find((share) => share.signerId === signerId) ?? expect.fail();
    return openedWith(new Secret(hexToBytes(decryptionKey)), bytesOf(entry.encryptedKeyShare));
  });
  const ours = byId(
    listingOf(signers.length).map((each) => ({ ...each, signerId: encodeBase64(each.signerId) })),
  );
  return new Map(ours.map(({ party }, place) => [party, dealt[place]]));
};

describe.each(vectors.vectors.map((vector, at) => [at + 1, vector.signers.length, vector] as const))(
  "import %i of an independent client, by a cluster of %i signers",
  (number, size, vector) => {
    const cluster = new TestCluster({ seed: `vector/${number}`, size });
    const plaintexts = ofVector(vector);
    const outcome = imported(cluster, { envelopes: sealAll(plaintexts) });

    test("ends in the client's key, active and marked at every signer", () => {
      expect(bytesToHex(outcome.result?.publicKey ?? new Uint8Array(0))).toBe(vector.publicKey);
      expect(heldBy(cluster).map((key) => [key?.state, key?.isImported, key?.isExported])).toEqual(
        Array.from({ length: size }, () => ["active", true, false]),
      );
    });

    test("P23 INV-1 leaves no signer a share that the client knows", () => {
      const texts = JSON.stringify([...plaintexts.values()]);
      const kept = secretsOf(CGGMP24, cluster).map((secret) => secret.toString(16).padStart(64, "0"));
      expect(kept).toHaveLength(size);
      expect(kept.filter((secret) => texts.includes(secret) || secret === vector.privateKey)).toEqual([]);
    });

    test("signs a transaction like every other key", () => {
      const signed = signOn(cluster, { keyId: PASSING_KEY, publicKey: hexToBytes(vector.publicKey) });
      cluster.until(() => signed.isClosed);
      expect(signed.result?.attempts).toBe(1);
    });
  },
);

describe.each<readonly [ImportTerms["protocol"], ImportTerms["curve"], "FROST-Ed25519" | "FROST-Taproot"]>([
  ["FROST", "ed25519", "FROST-Ed25519"],
  ["FROST_BITCOIN", "secp256k1", "FROST-Taproot"],
])("a key of %s on %s", (protocol, curve, scheme) => {
  test("is imported, and signs a message", () => {
    const plaintexts = withScheme(scheme, (its): Plaintexts => dealtFor(its, 3, 2));
    // a cluster that has run long enough to sign messages
    const cluster = new TestCluster({ seed: protocol, size: 3, threshold: 2 });
    cluster.rest(10_000);
    const outcome = imported(cluster, {
      envelopes: sealAll(plaintexts),
      change: { scheme, protocol, curve },
    });
    const publicKey = outcome.result?.publicKey ?? expect.fail(JSON.stringify(outcome.problem));
    const signed = signMessageOn(cluster, { key: { scheme, keyId: PASSING_KEY }, publicKey });
    cluster.until(() => signed.isClosed);
    expect(signed.result).toBeDefined();
  });
});

test("a client that says CGGMP21, as they did before 2025, brings the same key", () => {
  const cluster = new TestCluster({ seed: "cggmp21" });
  const outcome = imported(cluster, { envelopes: honestEnvelopes(), change: { protocol: "CGGMP21" } });
  expect(outcome.result?.keyId).toBe(PASSING_KEY);
});

/** The honest deal, except for one signer. */
const dealBut = (
  signer: PartyIndex,
  change: (plaintext: ClientPlaintext, all: ReadonlyMap<PartyIndex, ClientPlaintext>) => unknown,
): Envelopes => {
  const dealt = dealtFor(CGGMP24, 5, 3);
  return sealAll(
    new Map(
      [...dealt].map(([party, plaintext]) => [
        party,
        party === signer ? change(plaintext, dealt) : plaintext,
      ]),
    ),
  );
};

const sealed = honestEnvelopes();
const envelopeOf = (party: PartyIndex): Uint8Array => sealed.get(party) ?? expect.fail();
const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const signerTwo = {
  signer: "signer-2",
  signerId: encodeBase64(listingOf(5)[1]?.signerId ?? new Uint8Array(0)),
};

describe("P23 INV-7 an import that is none is refused by all with whose share is wrong and how, and nobody keeps anything", () => {
  const flawed = (code: string, field: string, more = {}) => [{ ...signerTwo, code, field, ...more }];

  test.each<readonly [string, Envelopes, readonly unknown[]]>([
    [
      "a byte of an envelope is wrong",
      new Map(sealed).set(TWO, envelopeOf(TWO).with(50, (envelopeOf(TWO)[50] ?? 0) ^ 1)),
      flawed("EnvelopeUnreadable", "encryptedKeyShare"),
    ],
    [
      "two signers have each other's envelope",
      new Map(sealed).set(TWO, envelopeOf(THREE)).set(THREE, envelopeOf(TWO)),
      [expect.objectContaining(signerTwo), expect.objectContaining({ signer: "signer-3" })],
    ],
    [
      "a share is another signer's",
      dealBut(TWO, (plaintext, all) => ({ ...plaintext, secret_share: all.get(ONE)?.secret_share })),
      flawed("ShareMismatch", "secret_share"),
    ],
    [
      "a signer is shown too few public shares",
      dealBut(TWO, (plaintext) => ({ ...plaintext, public_shares: plaintext.public_shares.slice(1) })),
      flawed("CountMismatch", "public_shares"),
    ],
    [
      "a share is of another curve",
      dealBut(TWO, () => dealtFor(FROST_ED25519, 5, 3).get(TWO)),
      flawed("CurveMismatch", "secret_share"),
    ],
    [
      "a share is of another version",
      dealBut(TWO, (plaintext) => ({ ...plaintext, version: 2 })),
      flawed("VersionUnsupported", "version"),
    ],
    ["a share is no share", dealBut(TWO, () => "a share"), flawed("Malformed", "encryptedKeyShare")],
    [
      "a signer is dealt another key than the others",
      dealBut(TWO, () => dealtFor(CGGMP24, 5, 3, "another").get(TWO)),
      [
        {
          field: "public_shares",
          code: "Difference",
          signers: [["signer-1", "signer-3", "signer-4", "signer-5"], ["signer-2"]],
        },
      ],
    ],
    [
      "a signer is given another chain code",
      dealBut(TWO, (plaintext) => ({ ...plaintext, chain_code: encodeBase64(new Uint8Array(32).fill(1)) })),
      [
        {
          field: "chain_code",
          code: "Difference",
          signers: [["signer-1", "signer-3", "signer-4", "signer-5"], ["signer-2"]],
        },
      ],
    ],
  ])("when %s", (_, envelopes, shares) => {
    const cluster = new TestCluster({ seed: "refused" });
    const outcome = imported(cluster, { envelopes });
    expect(outcome.problem).toMatchObject({ code: "KeyImportRefused", details: { issues: shares } });
    expect(outcome.faults).toEqual([]);
    expect(storedBy(cluster)).toEqual([]);
  });

  test("when the shares need more signers than the threshold", () => {
    const cluster = new TestCluster({ seed: "degree" });
    const outcome = imported(cluster, { envelopes: sealAll(dealtFor(CGGMP24, 5, 4)) });
    expect(outcome.problem).toMatchObject({ code: "KeyImportRefused" });
    expect(outcome.problem?.details["issues"]).toHaveLength(5);
    expect(storedBy(cluster)).toEqual([]);
  });

  test("and the client may try again with the very same key id", () => {
    const cluster = new TestCluster({ seed: "again" });
    imported(cluster, { envelopes: sealAll(dealtFor(CGGMP24, 5, 4)) });
    expect(imported(cluster, { envelopes: sealed, seed: "2" }).result?.keyId).toBe(PASSING_KEY);
  });
});

describe("an import", () => {
  test("begins nothing while a signer is away, and says which", () => {
    const cluster = new TestCluster({ seed: "away" });
    cluster.kill(4);
    const outcome = importOn(cluster, { envelopes: sealed });
    expect(outcome.problem).toMatchObject({
      code: "SignersUnavailable",
      details: { unavailable: ["signer-4"] },
    });
    expect(outcome.calls).toEqual([]);
  });

  test("is nobody's when one operator does not allow it: every signer holds a share of every key", () => {
    const cluster = new TestCluster({
      seed: "disabled",
      configure: (config) => (config.self === 3 ? { ...config, keyImport: "refused" } : config),
    });
    const outcome = imported(cluster, { envelopes: sealed });
    expect(outcome.problem).toMatchObject({ code: "KeyImportDisabled", details: { signer: "signer-3" } });
    expect(storedBy(cluster)).toEqual([]);
  });

  test("leaves nothing pending when a signer dies in the middle", () => {
    const cluster = new TestCluster({ seed: "middle" });
    const outcome = importOn(cluster, { envelopes: sealed });
    cluster.until(() => cluster.sent.some(({ from, round }) => from === 2 && round === 3));
    cluster.kill(2);
    cluster.until(() => outcome.problem !== undefined);
    cluster.restart(2);
    cluster.until(() => outcome.isClosed);
    expect(outcome.problem).toMatchObject({
      code: "SignersUnavailable",
      details: { unavailable: ["signer-2"] },
    });
    expect(storedBy(cluster)).toEqual([]);
  });

  test("INV-7 names a signer that cheats in dealing the key anew, and leaves nothing pending", () => {
    const cluster = new TestCluster({ seed: "cheat" });
    cluster.wire = cheating(3, ({ round, kind }) => round === 3 && kind === 1);
    const outcome = imported(cluster, { envelopes: sealed });
    expect(outcome.problem).toMatchObject({ code: "KeyImportFailed", details: { signer: "signer-3" } });
    expect(new Set(outcome.faults.map(({ verdict }) => verdict.culprit))).toEqual(new Set([3]));
    expect(storedBy(cluster)).toEqual([]);
  });

  test("does not touch a key that is there, imported or generated", () => {
    const cluster = new TestCluster({ seed: "exists", engine: "tiny" });
    const made = generateKeyOn(cluster, PASSING_KEY);
    cluster.until(() => made.isClosed);
    const before = heldBy(cluster);
    const outcome = imported(cluster, { envelopes: sealed });
    expect(outcome.result?.publicKey).toEqual(made.result?.publicKey);
    expect(heldBy(cluster)).toEqual(before);
    expect(before.map((key) => key?.isImported)).toEqual([false, false, false, false, false]);
  });

  test("of a Taproot key is the internal key: what signs is its output key", () => {
    const cluster = new TestCluster({ seed: "taproot", size: 3, threshold: 2 });
    const envelopes = sealAll(dealtFor(FROST_TAPROOT, 3, 2));
    const change = { scheme: "FROST-Taproot", protocol: "FROST_BITCOIN" };
    expect(imported(cluster, { envelopes, change }).result?.publicKey).toHaveLength(32);
  });
});
