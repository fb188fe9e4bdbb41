import { describe, expect, test } from "vitest";
import { decode, encode } from "../codec.ts";
import { INSECURE_TEST_PARAMETERS } from "../insecure-test-parameters.ts";
import { PRODUCTION_PARAMETERS } from "../parameters.ts";
import { Secret } from "../secret.ts";
import {
  insecureAuxiliaryInfo,
  insecureOwnAuxiliary,
  testParties,
  testParty,
} from "../testing/insecure-auxiliary.ts";
import { type AuxiliaryInfo, auxiliaryInfoCodec } from "./auxiliary-info.ts";

const self = testParty(2);
const dealt = insecureAuxiliaryInfo(testParties(3), 7).get(self);
if (dealt === undefined) throw new Error("party 2 is among three");
const info: AuxiliaryInfo = dealt;
const codec = auxiliaryInfoCodec(INSECURE_TEST_PARAMETERS);
const bytes = encode(codec, info);

const isDecoded = (changed: Partial<AuxiliaryInfo>): boolean =>
  decode(codec, encode(codec, { ...info, ...changed })).ok;

describe("the stored form of auxiliary info", () => {
  test("gives back what was stored, secrets included", () => {
    const decoded = decode(codec, bytes);
    if (!decoded.ok) throw new Error(decoded.reason);
    const { own, ...shown } = decoded.value;
    const { own: ownBefore, ...shownBefore } = info;
    expect(shown).toEqual(shownBefore);
    expect(own.reveal()).toEqual(ownBefore.reveal());
  });

  test("is canonical", () => {
    const decoded = decode(codec, bytes);
    if (!decoded.ok) throw new Error(decoded.reason);
    expect(encode(codec, decoded.value)).toEqual(bytes);
  });

  test("does not decode at another security level, least of all reduced bytes at production's", () => {
    expect(decode(auxiliaryInfoCodec(PRODUCTION_PARAMETERS), bytes).ok).toBe(false);
    expect(decode(auxiliaryInfoCodec({ ...INSECURE_TEST_PARAMETERS, name: "OTHER" }), bytes).ok).toBe(false);
  });

  test.each([0, 1, bytes.length - 1])("does not decode when cut to %i bytes", (length) => {
    expect(decode(codec, bytes.slice(0, length)).ok).toBe(false);
  });

  test("does not decode with bytes after its end", () => {
    expect(decode(codec, new Uint8Array([...bytes, 0])).ok).toBe(false);
  });

  test("does not decode when the secrets are another party's", () => {
    expect(isDecoded({ own: new Secret(insecureOwnAuxiliary(1)) })).toBe(false);
  });

  test("does not decode without the party's own public values", () => {
    expect(isDecoded({ self: testParty(9) })).toBe(false);
  });

  test("does not decode with λ of another s", () => {
    const own = info.own.reveal();
    const pedersen = { ...own.pedersen, lambda: own.pedersen.lambda + 1n };
    expect(isDecoded({ own: new Secret({ ...own, pedersen }) })).toBe(false);
  });

  test("P20 does not decode with parties out of order", () => {
    expect(isDecoded({ peers: new Map([...info.peers].toReversed()) })).toBe(false);
  });

  test("never throws on a flipped bit, and never gives other secrets than the stored", () => {
    const own = info.own.reveal();
    for (let position = 0; position < bytes.length; position += 7) {
      const flipped = bytes.slice();
      flipped[position] = (flipped[position] ?? 0) ^ 0x80;
      const decoded = decode(codec, flipped);
      if (decoded.ok) expect(decoded.value.own.reveal().paillier.factors).toEqual(own.paillier.factors);
    }
  });
});
