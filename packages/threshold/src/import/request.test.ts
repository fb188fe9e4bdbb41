import { describe, expect, it } from "vitest";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { sealFor, testImportSigners, testSignerId } from "../testing/insecure-import-client.ts";
import { assignPositions, type ImportSigner } from "./assignment.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { type ImportRequest, importedScheme, readImportRequest } from "./request.ts";

const parties = testParties(5);
const cluster = { signers: testImportSigners(parties), threshold: 3 };
const idOf = (index: number): string => encodeBase64(testSignerId(testParty(index)));
const entryOf = (index: number) => ({
  signerId: idOf(index),
  encryptedKeyShare: encodeBase64(sealFor(testParty(index), { version: 1 })),
});
const good: ImportRequest = {
  protocol: "CGGMP24",
  curve: "secp256k1",
  minSigners: 3,
  encryptedKeyShares: [3, 1, 5, 2, 4].map(entryOf),
};
const refusalOf = (change: Partial<ImportRequest>) => {
  const reading = readImportRequest({ ...good, ...change }, cluster);
  return reading.ok ? expect.fail("it was read") : reading.refusal;
};

describe("the positions of signers in an import", () => {
  const withIds = (...ids: readonly string[]): readonly ImportSigner[] =>
    ids.map((id, at) => ({ party: testParty(at + 1), signerId: decodeBase64(id, 64) ?? expect.fail() }));

  it("follow the raw bytes of their ids, not the text", () => {
    const positions = assignPositions(withIds("/wEB", "awEB", "+AEB", "AAEB"));
    expect([...positions]).toEqual([
      [1, 4],
      [2, 2],
      [3, 3],
      [4, 1],
    ]);
  });

  it("put a shorter id before what it begins", () => {
    expect([...assignPositions(withIds("AQID", "AQI=", "AQ=="))]).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
    ]);
  });

  it("are none when two ids of our own roster are equal, or one is unfit", () => {
    expect(() => assignPositions(withIds("AAEB", "AAEB"))).toThrow(RangeError);
    expect(() => assignPositions([{ party: testParty(1), signerId: new Uint8Array(0) }])).toThrow(RangeError);
    expect(() => assignPositions([{ party: testParty(1), signerId: new Uint8Array(65) }])).toThrow(
      RangeError,
    );
  });
});

describe("an import request", () => {
  it("gives every signer its envelope and its position, for entries in any order", () => {
    const reading = readImportRequest(good, cluster);
    const { scheme, assignment, envelopes } = reading.ok ? reading.request : expect.fail();
    expect(scheme).toBe("CGGMP24");
    expect([...assignment]).toEqual([...assignPositions(cluster.signers)]);
    expect([...envelopes.keys()]).toEqual(parties);
    for (const party of parties) expect(envelopes.get(party)).toEqual(sealFor(party, { version: 1 }));
  });

  it.each([
    ["CGGMP21", "secp256k1", "CGGMP24"],
    ["CGGMP24", "secp256k1", "CGGMP24"],
    ["FROST", "ed25519", "FROST-Ed25519"],
    ["FROST_BITCOIN", "secp256k1", "FROST-Taproot"],
  ])("of %s on %s makes a key of %s", (protocol, curve, scheme) => {
    expect(importedScheme(protocol, curve)).toBe(scheme);
  });

  it.each([
    ["CGGMP21", "stark"],
    ["CGGMP24", "ed25519"],
    ["FROST", "secp256k1"],
    ["FROST_BITCOIN", "ed25519"],
    ["KU23", "secp256k1"],
    ["GLOW20_DH", "secp256k1"],
    ["toString", "secp256k1"],
  ])("P23 of %s on %s is refused", (protocol, curve) => {
    expect(refusalOf({ protocol, curve })).toEqual({ code: "ProtocolUnsupported", protocol, curve });
  });

  it.each([2, 4, 0, 3.5])(
    "P23 of %d signers that must sign is refused by a cluster of three",
    (minSigners) => {
      const refusal = { code: "ThresholdMismatch", expected: 3, given: minSigners };
      expect(refusalOf({ minSigners })).toEqual(refusal);
    },
  );

  it("P23 without an entry for a signer is refused, and names it", () => {
    const encryptedKeyShares = [1, 2, 3, 5].map(entryOf);
    expect(refusalOf({ encryptedKeyShares })).toEqual({ code: "SignerMissing", party: 4 });
    expect(refusalOf({ encryptedKeyShares: [] })).toEqual({ code: "SignerMissing", party: 1 });
  });

  it.each([
    ["a signer twice", [1, 2, 3, 4, 4], { code: "SignerRepeated", signerId: idOf(4) }],
    ["one entry too many", [1, 2, 3, 4, 5, 1], { code: "SignerRepeated", signerId: idOf(1) }],
    ["an unknown signer", [1, 2, 3, 4, 9], { code: "SignerUnknown", signerId: idOf(9) }],
    ["a sixth signer", [1, 2, 3, 4, 5, 6], { code: "SignerUnknown", signerId: idOf(6) }],
  ])("P23 with %s is refused, and names it", (_, indices, refusal) => {
    expect(refusalOf({ encryptedKeyShares: indices.map(entryOf) })).toEqual(refusal);
  });

  it("P23 with an id that is not base64 is refused, and names it", () => {
    const encryptedKeyShares = [{ ...entryOf(1), signerId: "sig-abc" }, ...[2, 3, 4, 5].map(entryOf)];
    expect(refusalOf({ encryptedKeyShares })).toEqual({ code: "SignerIdMalformed", signerId: "sig-abc" });
  });

  it.each([
    ["not base64", "=".repeat(8)],
    ["P13 too long", "A".repeat(24_000)],
  ])("P23 with an envelope that is %s is refused, and names its signer", (_, encryptedKeyShare) => {
    const encryptedKeyShares = [1, 2, 3, 4].map(entryOf).concat({ ...entryOf(5), encryptedKeyShare });
    expect(refusalOf({ encryptedKeyShares })).toEqual({ code: "EnvelopeMalformed", party: 5 });
  });
});
