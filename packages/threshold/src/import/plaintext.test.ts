import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { ED25519, SECP256K1 } from "../curve.ts";
import { CGGMP24, FROST_ED25519 } from "../scheme.ts";
import { Secret } from "../secret.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import {
  type ClientPlaintext,
  insecurePlaintexts,
  insecurePolynomial,
  scalarHex,
} from "../testing/insecure-import-client.ts";
import { encodeBase64 } from "./base64.ts";
import { parseImportPlaintext } from "./plaintext.ts";

const parties = testParties(3);
const good: ClientPlaintext =
  insecurePlaintexts(CGGMP24, parties, insecurePolynomial(CGGMP24, 2)).get(testParty(1)) ?? expect.fail();
const scalar = typeof good.secret_share === "string" ? expect.fail() : good.secret_share.scalar;
const points = good.public_shares.map((share) => (typeof share === "string" ? expect.fail() : share.point));
const compress = (hex: string): string =>
  `0${2 + (Number.parseInt(hex.slice(-1), 16) & 1)}${hex.slice(2, 66)}`;

const parse = (text: string) =>
  parseImportPlaintext(SECP256K1, parties.length, new Secret(utf8ToBytes(text)));
const parseValue = (value: unknown) => parse(JSON.stringify(value));
const shareOf = (value: unknown) => {
  const parsed = parseValue(value);
  return parsed.ok ? parsed.share : expect.fail(parsed.flaw.code);
};

describe("the part that a client gives to one signer", () => {
  it("is a share, everybody's public shares and a chain code or none", () => {
    const share = shareOf(good);
    expect(scalarHex(share.secretShare.reveal())).toBe(scalar);
    expect(share.publicShares.map((point) => point.toHex(false))).toEqual(points);
    expect(share.chainCode).toBeUndefined();
  });

  it("may leave the chain code out, or write null, or base64 of 32 bytes", () => {
    const { chain_code: _, ...without } = good;
    expect(shareOf(without).chainCode).toBeUndefined();
    const chainCode = new Uint8Array(32).fill(9);
    expect(shareOf({ ...good, chain_code: encodeBase64(chainCode) }).chainCode).toEqual(chainCode);
  });

  it("may have compressed points and bare hexadecimal texts", () => {
    const compact = { ...good, secret_share: scalar, public_shares: points.map(compress) };
    const share = shareOf(compact);
    expect(scalarHex(share.secretShare.reveal())).toBe(scalar);
    expect(share.publicShares.map((point) => point.toHex(false))).toEqual(points);
    const named = points.map((point) => ({ curve: "secp256k1", point: compress(point) }));
    expect(shareOf({ ...good, public_shares: named }).publicShares).toHaveLength(3);
  });

  it("may be of Ed25519, whose points have one form", () => {
    const plaintexts = insecurePlaintexts(FROST_ED25519, parties, insecurePolynomial(FROST_ED25519, 2));
    const text = JSON.stringify(plaintexts.get(testParty(1)));
    const parsed = parseImportPlaintext(ED25519, 3, new Secret(utf8ToBytes(text)));
    expect(parsed.ok && parsed.share.publicShares.length).toBe(3);
  });

  it("INV-10 does not print its secret", () => {
    expect(JSON.stringify(shareOf(good).secretShare)).toBe('"[secret]"');
  });
});

describe("P23 P20 bytes that are no share are refused, with the field named", () => {
  const share = (hex: unknown) => ({ ...good, secret_share: { curve: "secp256k1", scalar: hex } });
  const first = (point: unknown) => ({ ...good, public_shares: [point, ...good.public_shares.slice(1)] });
  const torsion = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a";
  const off = points[0]?.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));

  it.each<[string, unknown, string, string]>([
    ["another version", { ...good, version: 2 }, "VersionUnsupported", "version"],
    ["a version in a string", { ...good, version: "1" }, "VersionUnsupported", "version"],
    ["no version", { ...good, version: undefined }, "VersionUnsupported", "version"],
    ["an unknown field", { ...good, threshold: 3 }, "Malformed", "encryptedKeyShare"],
    ["a list", [good], "Malformed", "encryptedKeyShare"],
    ["null", null, "Malformed", "encryptedKeyShare"],
    ["no secret share", { ...good, secret_share: undefined }, "Malformed", "secret_share"],
    ["a share of zero", share("0".repeat(64)), "Malformed", "secret_share"],
    ["a share of the group order", share(scalarHex(SECP256K1.order)), "Malformed", "secret_share"],
    ["a short share", share(scalar.slice(2)), "Malformed", "secret_share"],
    ["a long share", share(`00${scalar}`), "Malformed", "secret_share"],
    ["a share in capitals", share(scalar.toUpperCase()), "Malformed", "secret_share"],
    ["a share that is a number", share(7), "Malformed", "secret_share"],
    [
      "a share with more to it",
      { ...good, secret_share: { curve: "secp256k1", scalar, scalar2: scalar } },
      "Malformed",
      "secret_share",
    ],
    ["a share without its curve", { ...good, secret_share: { scalar } }, "Malformed", "secret_share"],
    [
      "a share of another curve",
      { ...good, secret_share: { curve: "stark", scalar } },
      "CurveMismatch",
      "secret_share",
    ],
    [
      "a point of another curve",
      first({ curve: "ed25519", point: points[0] }),
      "CurveMismatch",
      "public_shares",
    ],
    ["a point off the curve", first(off), "Malformed", "public_shares"],
    ["an identity", first("00"), "Malformed", "public_shares"],
    ["a point of another curve's length", first(torsion), "Malformed", "public_shares"],
    [
      "too few points",
      { ...good, public_shares: good.public_shares.slice(1) },
      "CountMismatch",
      "public_shares",
    ],
    [
      "too many points",
      { ...good, public_shares: [...good.public_shares, points[0]] },
      "CountMismatch",
      "public_shares",
    ],
    ["no points", { ...good, public_shares: {} }, "Malformed", "public_shares"],
    ["a short chain code", { ...good, chain_code: "AAAA" }, "Malformed", "chain_code"],
    ["a chain code of hexadecimal", { ...good, chain_code: "00".repeat(32) }, "Malformed", "chain_code"],
    ["a chain code that is a number", { ...good, chain_code: 0 }, "Malformed", "chain_code"],
  ])("%s", (_, value, code, field) => {
    expect(parseValue(value)).toEqual({ ok: false, flaw: { code, field } });
  });

  it("a point of Ed25519 outside the group of prime order", () => {
    const value = { version: 1, secret_share: "00".repeat(31).concat("01"), public_shares: [torsion] };
    const plaintext = new Secret(utf8ToBytes(JSON.stringify(value)));
    const flaw = { code: "Malformed", field: "public_shares" };
    expect(parseImportPlaintext(ED25519, 1, plaintext)).toEqual({ ok: false, flaw });
  });

  const text = JSON.stringify(good);
  it.each<[string, string]>([
    ["empty", ""],
    ["cut short", text.slice(0, -1)],
    ["with white space", text.replace(",", ", ")],
    ["with bytes after its end", `${text}\n`],
    ["with a version in another form", text.replace('"version":1', '"version":1.0')],
    ["with two versions", text.replace('"version":1', '"version":2,"version":1')],
    ["with two shares", text.replace('"scalar":', '"scalar":"01","scalar":')],
    ["with an escaped name", text.replace('"version"', '"\\u0076ersion"')],
    ["nested without end", "[".repeat(16_000)],
    ["nested deeply", `${"[".repeat(8000)}${"]".repeat(8000)}`],
  ])("a text that is %s", (_, changed) => {
    const flaw = { code: "Malformed", field: "encryptedKeyShare" };
    expect(parse(changed)).toEqual({ ok: false, flaw });
  });

  it("a text that is not UTF-8, or begins with a byte order mark", () => {
    for (const bytes of [
      Uint8Array.of(0x22, 0xff, 0x22),
      hexToBytes(`efbbbf${bytesToHex(utf8ToBytes(text))}`),
    ]) {
      expect(parseImportPlaintext(SECP256K1, 3, new Secret(bytes)).ok).toBe(false);
    }
  });
});
