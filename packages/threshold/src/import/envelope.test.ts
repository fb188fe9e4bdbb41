import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../../test/vectors/key-import.json" with { type: "json" };
import { SECP256K1 } from "../curve.ts";
import { Secret } from "../secret.ts";
import { testParty } from "../testing/insecure-auxiliary.ts";
import { insecureDecryptionKey, sealFor } from "../testing/insecure-import-client.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { decodeBase64 } from "./base64.ts";
import { importEncryptionKeyOf, parseEncryptionKey } from "./encryption-key.ts";
import {
  IMPORT_ENVELOPE_BYTES_MAX,
  IMPORT_ENVELOPE_OVERHEAD,
  importEphemeralKeyOf,
  openImportEnvelope,
  sealImportEnvelope,
} from "./envelope.ts";

const [party, other] = [testParty(1), testParty(2)];
const key = insecureDecryptionKey(party);
const sealed = sealFor(party, { version: 1, chain_code: null });
const text = '{"version":1,"chain_code":null}';
const bytesOf = (base64: string): Uint8Array => decodeBase64(base64, 16_384) ?? expect.fail();
const flip = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, position) => (position === at ? byte ^ 1 : byte));

describe("the envelope of an import", () => {
  it("opens with the signer's key and no other", () => {
    const opened = openImportEnvelope(sealed, key);
    expect(opened.ok && opened.value.reveal()).toEqual(utf8ToBytes(text));
    expect(openImportEnvelope(sealed, insecureDecryptionKey(other))).toEqual({
      ok: false,
      reason: "envelope does not open",
    });
  });

  it("P23 does not open with any one byte changed: ciphertext, tag or ephemeral key", () => {
    expect(sealed.length).toBe(text.length + IMPORT_ENVELOPE_OVERHEAD);
    for (const at of sealed.keys()) expect(openImportEnvelope(flip(sealed, at), key).ok).toBe(false);
  });

  it.each([
    ["empty", new Uint8Array(0), "envelope is too short"],
    ["shorter than a tag and a key", new Uint8Array(IMPORT_ENVELOPE_OVERHEAD - 1), "envelope is too short"],
    ["P13 longer than any share", new Uint8Array(IMPORT_ENVELOPE_BYTES_MAX + 1), "envelope is too long"],
    ["without a point", new Uint8Array(200), "ephemeral key is not a point"],
    ["cut at its end", sealed.slice(0, -1), "ephemeral key is not a point"],
  ])("that is %s is refused", (_, envelope, reason) => {
    expect(openImportEnvelope(envelope, key)).toEqual({ ok: false, reason });
  });

  it("INV-11 is recognised by its ephemeral key whatever is done to its ciphertext, and opens under no other", () => {
    const ephemeralKey = importEphemeralKeyOf(sealed) ?? expect.fail();
    const body = sealed.subarray(0, -SECP256K1.pointBytes);
    expect(ephemeralKey).toEqual(sealed.slice(body.length));
    const bent = [flip(sealed, 0), flip(sealed, body.length - 1), sealed.slice(1), ephemeralKey];
    for (const envelope of bent) expect(importEphemeralKeyOf(envelope)).toEqual(ephemeralKey);
    // the point of the same x with the other y, SEC 1's uncompressed form, the identity, or no key: none is
    // the ephemeral key
    const negated = flip(sealed, body.length);
    expect(importEphemeralKeyOf(negated)).not.toEqual(ephemeralKey);
    const longer = secp256k1.Point.fromBytes(ephemeralKey).toBytes(false);
    for (const other of [longer, new Uint8Array(33), new Uint8Array(0), ephemeralKey.slice(1)])
      expect(importEphemeralKeyOf(other)).toBeUndefined();
    for (const envelope of [negated, new Uint8Array([...body, ...longer])])
      expect(openImportEnvelope(envelope, key).ok).toBe(false);
  });

  it("INV-10 gives a plaintext that does not print", () => {
    expect(JSON.stringify(openImportEnvelope(sealed, key))).toBe('{"ok":true,"value":"[secret]"}');
  });

  it("never repeats itself under other entropy", () => {
    const receiver = parseEncryptionKey(importEncryptionKeyOf(key)) ?? expect.fail();
    const seal = (seed: string) =>
      sealImportEnvelope(new Secret(utf8ToBytes(text)), receiver, seededEntropy(seed));
    expect(seal("a")).not.toEqual(seal("b"));
  });
});

describe("an encryption key", () => {
  const signers = vectors.vectors.flatMap((vector) => vector.signers);

  it("follows from its decryption key as an independent client has it", () => {
    expect(signers).toHaveLength(20);
    for (const { encryptionKey, decryptionKey } of signers) {
      expect(importEncryptionKeyOf(new Secret(hexToBytes(decryptionKey)))).toEqual(bytesOf(encryptionKey));
    }
  });

  it("is read compressed and uncompressed, and in no other way", () => {
    const compressed = importEncryptionKeyOf(key);
    const point = parseEncryptionKey(compressed) ?? expect.fail();
    const uncompressed = secp256k1.Point.fromBytes(compressed.subarray(1)).toBytes(false);
    expect(parseEncryptionKey(Uint8Array.of(1, ...uncompressed))?.equals(point)).toBe(true);
    for (const bytes of [
      new Uint8Array(0),
      Uint8Array.of(2, ...compressed.subarray(1)),
      Uint8Array.of(1, 5, ...compressed.subarray(2)),
      Uint8Array.of(1, ...flip(uncompressed, 64)),
      Uint8Array.of(1, 6 + ((uncompressed[64] ?? 0) & 1), ...uncompressed.subarray(1)),
      Uint8Array.of(...compressed, 0),
      compressed.subarray(0, 33),
    ]) {
      expect(parseEncryptionKey(bytes)).toBeUndefined();
    }
  });

  it.each([
    ["zero", new Uint8Array(32)],
    ["the group order", numberToBytesBE(SECP256K1.order, 32)],
    ["too short", new Uint8Array(31).fill(1)],
  ])("has no decryption key that is %s: our own mistake", (_, bytes) => {
    expect(() => importEncryptionKeyOf(new Secret(bytes))).toThrow(RangeError);
  });
});
