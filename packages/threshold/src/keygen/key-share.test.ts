import { beforeAll, describe, expect, it } from "vitest";
import { decode, encode, text } from "../codec.ts";
import { GENERATOR } from "../group.ts";
import { CGGMP24 } from "../scheme.ts";
import { Secret } from "../secret.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { testSessionId } from "../testing/session-network.ts";
import {
  holdersOfShare,
  inCurrentFormat,
  type KeyShare,
  keyShareCodec,
  type PublicKeyInfo,
  publicKeyInfoCodec,
} from "./key-share.ts";
import { startKeyGeneration } from "./keygen.ts";

const parties = testParties(3);
let share: KeyShare;

beforeAll(() => {
  const common = {
    session: testSessionId("share"),
    parties,
    threshold: 2,
    keyId: "wa-1 ü",
    epoch: 4,
    scheme: CGGMP24,
  };
  const outcomes = runLockstep<KeyShare>({
    starts: new Map(parties.map((self) => [self, startKeyGeneration({ ...common, self })])),
  });
  const outcome = outcomes.get(testParty(2));
  if (outcome?.kind === "output") share = outcome.output;
});

const withInfo = (change: Partial<PublicKeyInfo>): KeyShare => ({
  ...share,
  info: { ...share.info, ...change },
});
const isRefused = (changed: KeyShare): boolean =>
  !decode(keyShareCodec(CGGMP24), encode(keyShareCodec(CGGMP24), changed)).ok;

describe("a key share in bytes", () => {
  it("decodes to what it was", () => {
    const bytes = encode(keyShareCodec(CGGMP24), share);
    const decoded = decode(keyShareCodec(CGGMP24), bytes);
    const copy = decoded.ok ? decoded.value : expect.fail(decoded.reason);
    expect(copy.self).toBe(share.self);
    expect(copy.secretShare.reveal()).toBe(share.secretShare.reveal());
    expect(copy.info.publicKey.equals(share.info.publicKey)).toBe(true);
    expect(copy.info).toMatchObject({ keyId: "wa-1 ü", threshold: 2, parties, epoch: 4 });
    expect(encode(keyShareCodec(CGGMP24), copy)).toEqual(bytes);
  });

  it("tells its holders and their threshold without its points", () => {
    const bytes = encode(keyShareCodec(CGGMP24), share);
    expect(holdersOfShare("CGGMP24", bytes)).toEqual({ threshold: 2, parties });
    expect(() => holdersOfShare("CGGMP24", bytes.subarray(0, -1))).toThrow(/does not decode/);
    expect(() => holdersOfShare("FROST-Ed25519", bytes)).toThrow(/does not decode/);
  });

  it("decodes from what version 0.1 stored, which named no scheme, once it is in today's format", () => {
    const bytes = encode(keyShareCodec(CGGMP24), share);
    const scheme = encode(text(32), CGGMP24.name);
    const before = Uint8Array.from([1, ...bytes.subarray(1 + scheme.length)]);
    expect(decode(keyShareCodec(CGGMP24), before).ok).toBe(false);
    expect(inCurrentFormat(before)).toEqual(bytes);
    expect(inCurrentFormat(bytes)).toBe(bytes);
  });

  it("decodes its public part alone, without the secret", () => {
    const bytes = encode(publicKeyInfoCodec(CGGMP24), share.info);
    const decoded = decode(publicKeyInfoCodec(CGGMP24), bytes);
    expect(decoded.ok && decoded.value.publicKey.equals(share.info.publicKey)).toBe(true);
  });

  it("INV-10 does not print its secret", () => {
    const printed = JSON.stringify({ self: share.self, secretShare: share.secretShare });
    expect(printed).toBe('{"self":2,"secretShare":"[secret]"}');
  });

  it("is refused when the secret is not that of the public share", () => {
    expect(isRefused({ ...share, secretShare: new Secret(share.secretShare.reveal() + 1n) })).toBe(true);
    expect(isRefused({ ...share, secretShare: new Secret(0n) })).toBe(true);
  });

  it("is refused when it is nobody's or another party's", () => {
    expect(isRefused({ ...share, self: testParty(9) })).toBe(true);
    expect(isRefused({ ...share, self: testParty(1) })).toBe(true);
  });

  it("is refused when the public shares do not give the public key", () => {
    expect(isRefused(withInfo({ publicKey: share.info.publicKey.add(GENERATOR) }))).toBe(true);
  });

  it.each([1, 4, 0])("P10 is refused with a threshold of %i among three", (threshold) => {
    expect(isRefused(withInfo({ threshold }))).toBe(true);
  });

  it("P10 is refused when its parties are out of order or repeated", () => {
    const reversed = new Map([...share.info.publicShares].reverse());
    expect(isRefused(withInfo({ publicShares: reversed }))).toBe(true);
  });

  it("is refused in an unknown format, cut short, or with bytes after its end", () => {
    const bytes = encode(keyShareCodec(CGGMP24), share);
    expect(
      decode(
        keyShareCodec(CGGMP24),
        bytes.map((byte, at) => (at === 0 ? 9 : byte)),
      ).ok,
    ).toBe(false);
    expect(decode(keyShareCodec(CGGMP24), bytes.slice(0, -1)).ok).toBe(false);
    expect(decode(keyShareCodec(CGGMP24), Uint8Array.from([...bytes, 0])).ok).toBe(false);
  });
});
