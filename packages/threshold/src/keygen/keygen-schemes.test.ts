import { describe, expect, it } from "vitest";
import { decode, encode } from "../codec.ts";
import { type GroupPoint, multiplyGenerator } from "../curve.ts";
import { keyDigest, keyDigestOfShare } from "../redistribution/key-digest.ts";
import { CGGMP24, FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { outputsOf } from "../testing/presigning.ts";
import { runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { type KeyShare, keyShareCodec } from "./key-share.ts";
import { startKeyGeneration } from "./keygen.ts";

const parties = testParties(3);
const session = testSessionId("schemes");

const generate = <P extends GroupPoint<P>>(schemeOf: (self: number) => Scheme<P>) =>
  runSessions<KeyShare<P>>({
    configs: testConfigs(parties, session),
    start: ({ self }) =>
      startKeyGeneration({
        session,
        self,
        parties,
        threshold: 2,
        keyId: "key-1",
        epoch: 0,
        scheme: schemeOf(self),
      }),
    seed: "schemes",
  }).outcomes;

const checkScheme = <P extends GroupPoint<P>>(scheme: Scheme<P>): void => {
  const shares = outputsOf(generate(() => scheme));

  it("makes a share of one key for everybody, on its curve", () => {
    const [first = expect.fail()] = shares.values();
    for (const { self, info, secretShare } of shares.values()) {
      expect(info.scheme.name).toBe(scheme.name);
      expect(info.publicKey.equals(first.info.publicKey)).toBe(true);
      const point = multiplyGenerator(scheme.curve, secretShare.reveal());
      expect(info.publicShares.get(self)?.equals(point)).toBe(true);
    }
  });

  it("keeps the scheme in its bytes: those of another scheme do not decode", () => {
    const share = shares.get(testParty(1)) ?? expect.fail();
    const bytes = encode(keyShareCodec(scheme), share);
    expect(decode(keyShareCodec(scheme), bytes).ok).toBe(true);
    for (const other of [CGGMP24, FROST_BIP340, FROST_TAPROOT]) {
      if (other.name !== scheme.name) expect(decode(keyShareCodec(other), bytes).ok).toBe(false);
    }
    if (scheme.name !== FROST_ED25519.name) {
      expect(decode(keyShareCodec(FROST_ED25519), bytes).ok).toBe(false);
    }
  });

  it("has one digest, whether it is read of the info or of the bytes of a share", () => {
    for (const share of shares.values()) {
      expect(keyDigestOfShare(encode(keyShareCodec(scheme), share))).toEqual(keyDigest(share.info));
    }
    const secretAlone = encode(keyShareCodec(scheme), shares.get(testParty(1)) ?? expect.fail()).slice(-33);
    expect(() => keyDigestOfShare(secretAlone)).toThrow("33 bytes are no share of a key");
  });
};

describe("a key for ECDSA", () => checkScheme(CGGMP24));
describe("a key for Ed25519", () => checkScheme(FROST_ED25519));
describe("a key for BIP-340", () => checkScheme(FROST_BIP340));
describe("a key for Taproot", () => checkScheme(FROST_TAPROOT));

describe("P11 parties with different schemes", () => {
  it("never end with a key", () => {
    const outcomes = generate((self) => (self === 2 ? FROST_TAPROOT : FROST_BIP340));
    for (const outcome of outcomes.values()) expect(outcome.kind).not.toBe("output");
  });
});
