import { createPublicKey, verify } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { computeAddress, Signature as EthersSignature, hexlify, recoverAddress } from "ethers";
import { describe, expect, it, test } from "vitest";
import { encode, scalarCodec } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, invertScalar, multiplyBase, ORDER, type Point, sampleScalar, scalar } from "../group.ts";
import type { Presignature } from "../presign/presignature.ts";
import { testParty } from "../testing/insecure-auxiliary.ts";
import { insecurePresignatures } from "../testing/insecure-presignatures.ts";
import { type LockstepConfig, runLockstep } from "../testing/lockstep.ts";
import { outputsOf } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { testSessionId } from "../testing/session-network.ts";
import { SIGNING_ROUND } from "./round1.ts";
import { startSigning } from "./sign.ts";
import type { Signature } from "./signature.ts";

const signers = [1, 2, 4].map(testParty);
const [self, cheat, other] = [testParty(1), testParty(2), testParty(4)];
const entropy = seededEntropy("signing");
const x = sampleScalar(entropy);
const publicKey = multiplyBase(x);
const message = new TextEncoder().encode("pay Bob one ether");
const digest = sha256(message);

/** INSECURE: presignatures from a dealer that knows x and γ. */
const deal = (gamma: bigint, changed: Partial<Presignature> = {}): ReadonlyMap<PartyIndex, Presignature> => {
  const dealt = insecurePresignatures({ session: testSessionId("signing"), signers, key: x, gamma });
  return new Map([...dealt].map(([signer, presignature]) => [signer, { ...presignature, ...changed }]));
};

const sign = (
  presignatures: ReadonlyMap<PartyIndex, Presignature>,
  signed = digest,
  mutate?: LockstepConfig<Signature>["mutate"],
) =>
  runLockstep({
    starts: new Map(
      [...presignatures].map(([party, presignature]) => [
        party,
        startSigning({ self: party, presignature, digest: signed }),
      ]),
    ),
    ...(mutate === undefined ? {} : { mutate }),
  });

const signature = (gamma: bigint, signed = digest): Signature =>
  outputsOf(sign(deal(gamma), signed)).get(self) ?? expect.fail();

const compact = ({ r, s }: Signature): Uint8Array =>
  Uint8Array.from([...numberToBytesBE(r, 32), ...numberToBytesBE(s, 32)]);

const isGoodForOpenssl = (key: Point, signed: Signature): boolean => {
  const coordinate = (value: bigint): string => Buffer.from(numberToBytesBE(value, 32)).toString("base64url");
  const { x: px, y: py } = key.toAffine();
  const jwk = { kty: "EC", crv: "secp256k1", x: coordinate(px), y: coordinate(py) };
  const der = new secp256k1.Signature(signed.r, signed.s).toBytes("der");
  return verify(
    "sha256",
    message,
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "der" },
    der,
  );
};

describe("signing", () => {
  it("gives every signer the same signature, good for noble and for OpenSSL", () => {
    const signatures = [...outputsOf(sign(deal(sampleScalar(entropy)))).values()];
    const [first = expect.fail()] = signatures;
    expect(signatures).toEqual([first, first, first]);
    expect(secp256k1.verify(compact(first), digest, publicKey.toBytes(), { prehash: false })).toBe(true);
    expect(isGoodForOpenssl(publicKey, first)).toBe(true);
    expect(isGoodForOpenssl(publicKey.add(GENERATOR), first)).toBe(false);
  });

  it("is low-S with a recovery id that leads ethers to the key, for nonces of every parity and either s", () => {
    const address = computeAddress(`0x${publicKey.toHex(true)}`);
    const seen = new Set<string>();
    for (let gamma = 2n; gamma < 26n; gamma++) {
      const { r, s, recovery } = signature(gamma);
      const isOdd = (multiplyBase(gamma).toAffine().y & 1n) === 1n;
      seen.add(`${isOdd}/${recovery}`);
      expect(s).toBeLessThanOrEqual(ORDER / 2n);
      const [rHex, sHex] = [r, s].map((value) => `0x${value.toString(16).padStart(64, "0")}`);
      const recovered = EthersSignature.from({ r: rHex ?? "", s: sHex ?? "", yParity: recovery });
      expect(recoverAddress(hexlify(digest), recovered)).toBe(address);
    }
    expect(seen.size).toBe(4); // both parities of Γ, each with s kept and with s negated
  });

  it("runs as a round of its own number in the session of its presigning", () => {
    const presignature = deal(7n).get(self) ?? expect.fail();
    const step = startSigning({ self, presignature, digest })(entropy);
    expect(step.kind === "next" && step.round.number).toBe(SIGNING_ROUND);
  });

  it("signs the digest as it was, whatever becomes of the caller's buffer", () => {
    const buffer = Uint8Array.from(digest);
    const presignatures = [...deal(9n)];
    const starts = new Map(
      presignatures.map(([party, presignature]) => [
        party,
        startSigning({ self: party, presignature, digest: buffer }),
      ]),
    );
    buffer.fill(0);
    const [first = expect.fail()] = outputsOf(runLockstep({ starts })).values();
    expect(secp256k1.verify(compact(first), digest, publicKey.toBytes(), { prehash: false })).toBe(true);
  });
});

describe("a presignature", () => {
  it("P6 INV-2 signs once: a second start throws, for another digest and for the same", () => {
    const presignature = deal(11n).get(self) ?? expect.fail();
    startSigning({ self, presignature, digest });
    expect(() => startSigning({ self, presignature, digest: sha256(digest) })).toThrow(/secret/);
    expect(() => startSigning({ self, presignature, digest })).toThrow(/secret/);
    expect(() => presignature.secret.reveal()).toThrow(/secret/);
  });

  test.each([0, 31, 33, 64])("is not spent on a digest of %i bytes, which is refused", (length) => {
    const presignature = deal(13n).get(self) ?? expect.fail();
    expect(() => startSigning({ self, presignature, digest: new Uint8Array(length) })).toThrow(RangeError);
    expect(startSigning({ self, presignature, digest })(entropy).kind).toBe("next");
  });

  it("is for its own key in its own epoch, and is not used up by another", () => {
    const presignature = deal(13n).get(self) ?? expect.fail();
    const { keyId, epoch } = presignature;
    for (const key of [
      { keyId: `${keyId}-2`, epoch },
      { keyId, epoch: epoch + 1 },
    ]) {
      expect(() => startSigning({ self, presignature, digest, key })).toThrow(RangeError);
    }
    expect(startSigning({ self, presignature, digest, key: { keyId, epoch } })(entropy).kind).toBe("next");
  });

  it("is not used up by another party", () => {
    const presignature = deal(13n).get(self) ?? expect.fail();
    expect(() => startSigning({ self: cheat, presignature, digest })).toThrow(RangeError);
    expect(startSigning({ self, presignature, digest })(entropy).kind).toBe("next");
  });

  it("P9 whose point gives no nonce is refused", () => {
    const presignature = deal(13n, { Gamma: secp256k1.Point.ZERO }).get(self) ?? expect.fail();
    expect(() => startSigning({ self, presignature, digest })).toThrow(RangeError);
  });
});

describe("INV-7 a wrong partial signature", () => {
  const tampered = (change: (sigma: bigint) => Uint8Array) =>
    sign(deal(sampleScalar(entropy)), digest, ({ from, payload }) =>
      from === cheat ? change(BigInt(`0x${Buffer.from(payload).toString("hex")}`)) : payload,
    );

  test.each([
    ["one more", (sigma: bigint) => encode(scalarCodec, scalar(sigma + 1n))],
    ["negated", (sigma: bigint) => encode(scalarCodec, scalar(-sigma))],
    ["zero", () => encode(scalarCodec, 0n)],
  ] as const)("%s: every honest signer names its sender, and there is no signature", (_, change) => {
    const outcomes = tampered(change);
    const expected = { kind: "fault", accusation: { culprit: cheat, check: "sign/1 σ·Γ = m·Δ~ + r·S~" } };
    expect([outcomes.get(self), outcomes.get(other)]).toEqual([expected, expected]);
  });

  it("P19 that turns the sum to its negative, which verifies as well but recovers to another key, names its sender", () => {
    const gamma = sampleScalar(entropy);
    const { publicKey: X, Gamma } = deal(gamma).get(self) ?? expect.fail();
    const r = scalar(Gamma.toAffine().x);
    const s = scalar(invertScalar(gamma) * (scalar(bytesToNumberBE(digest)) + r * x));
    const outcomes = sign(deal(gamma), digest, ({ from, payload }) =>
      from === cheat ? encode(scalarCodec, scalar(bytesToNumberBE(payload) - 2n * s)) : payload,
    );
    const low = s > ORDER / 2n ? ORDER - s : s;
    const isGood = secp256k1.verify(compact({ r, s: low, recovery: 0 }), digest, X.toBytes(), {
      prehash: false,
    });
    expect(isGood).toBe(true); // plain verification accepts it
    expect(outcomes.get(self)).toMatchObject({ kind: "fault", accusation: { culprit: cheat } });
    expect(outcomes.get(other)).toMatchObject({ kind: "fault", accusation: { culprit: cheat } });
  });

  it("of the last signer is found when those of the others are right, and two wrong ones that cancel harm nobody", () => {
    const liars = new Map([
      [cheat, 5n],
      [other, -5n],
    ]);
    const lie = (wrong: ReadonlyMap<PartyIndex, bigint>) =>
      sign(deal(29n), digest, ({ from, payload }) =>
        encode(scalarCodec, scalar(bytesToNumberBE(payload) + (wrong.get(from) ?? 0n))),
      );
    expect(lie(new Map([[other, 5n]])).get(self)).toMatchObject({ accusation: { culprit: other } });
    expect(lie(liars).get(self)).toEqual({ kind: "output", output: signature(29n) });
  });

  test.each([
    ["not below q", () => numberToBytesBE(ORDER, 32)],
    ["too short", () => new Uint8Array(31)],
    ["empty", () => new Uint8Array(0)],
  ] as const)("P20 %s: its sender is named", (_, change) => {
    expect(tampered(change).get(self)).toMatchObject({ kind: "fault", accusation: { culprit: cheat } });
  });

  it("for another digest names its sender, whose presignature is spent all the same", () => {
    const presignatures = deal(17n);
    const starts = new Map(
      [...presignatures].map(([party, presignature]) => [
        party,
        startSigning({ self: party, presignature, digest: party === cheat ? sha256(digest) : digest }),
      ]),
    );
    const outcomes = runLockstep({ starts });
    expect(outcomes.get(self)).toMatchObject({ kind: "fault", accusation: { culprit: cheat } });
    expect(outcomes.get(other)).toMatchObject({ kind: "fault", accusation: { culprit: cheat } });
  });
});

describe("a sum that is no signature", () => {
  it("P9 aborts when s is zero", () => {
    const gamma = 19n;
    const r = scalar(multiplyBase(gamma).toAffine().x);
    const outcomes = sign(deal(gamma), numberToBytesBE(scalar(-r * x), 32)); // s = γ^-1·(m + r·x) = 0
    expect(outcomes.get(self)).toEqual({ kind: "abort", check: "sign/1 s is zero" });
  });

  it("P19 never leaves when it does not verify under the public key", () => {
    const outcomes = sign(deal(23n, { publicKey: publicKey.add(GENERATOR) }));
    expect(outcomes.get(self)).toEqual({ kind: "abort", check: "sign/1 signature under the public key" });
  });
});
