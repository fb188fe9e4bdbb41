import { createPublicKey } from "node:crypto";
import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE, hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../test/vectors/bip341.json" with { type: "json" };
import { type GroupPoint, multiplyGenerator, type Point, SECP256K1, scalarOf } from "./curve.ts";
import type { PartyIndex } from "./fault.ts";
import type { KeyShare, PublicKeyInfo } from "./keygen/key-share.ts";
import { publicKeyOf } from "./public-key.ts";
import { CGGMP24, FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "./scheme.ts";
import { Secret } from "./secret.ts";
import { evaluate } from "./sharing/polynomial.ts";
import { frostStarts } from "./testing/frost-starts.ts";
import { testParties, testParty } from "./testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "./testing/insecure-key-shares.ts";
import { runLockstep } from "./testing/lockstep.ts";
import { outputsOf } from "./testing/presigning.ts";

const parties = testParties(5);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const infoOf = <P extends GroupPoint<P>>(scheme: Scheme<P>, seed = "key"): PublicKeyInfo<P> =>
  insecureSchemeShares(scheme, 2, testParties(3), seed).get(testParty(1))?.info ?? expect.fail();

/** The shares of a published Bitcoin key, dealt to five parties. */
const dealt = (secretKey: bigint): ReadonlyMap<PartyIndex, KeyShare> => {
  const polynomial = [secretKey, 3n, 5n];
  const publicOf = (at: number): Point => multiplyGenerator(SECP256K1, evaluate(SECP256K1, polynomial, at));
  const info: PublicKeyInfo = {
    ...infoOf(FROST_TAPROOT),
    threshold: 3,
    parties,
    publicKey: publicOf(0),
    publicShares: new Map(parties.map((party) => [party, publicOf(party)])),
  };
  return new Map(
    parties.map((self) => [
      self,
      { info, self, secretShare: new Secret(evaluate(SECP256K1, polynomial, self)) },
    ]),
  );
};

describe("the public key", () => {
  it("of an ECDSA key is the compressed point", () => {
    const info = infoOf(CGGMP24);
    expect(publicKeyOf(info)).toEqual(info.publicKey.toBytes(true));
    expect(publicKeyOf(info)).toHaveLength(33);
  });

  it("of an Ed25519 key is what OpenSSL reads", () => {
    const publicKey = publicKeyOf(infoOf(FROST_ED25519));
    const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(publicKey).toString("base64url") };
    expect(createPublicKey({ key: jwk, format: "jwk" }).asymmetricKeyType).toBe("ed25519");
    expect(publicKey).toHaveLength(32);
  });

  it("of a BIP-340 key is x alone, the same for a point and its negative", () => {
    const info = infoOf(FROST_BIP340);
    const { x } = info.publicKey.toAffine();
    expect(bytesToNumberBE(publicKeyOf(info))).toBe(x);
    expect(publicKeyOf({ ...info, publicKey: info.publicKey.negate() })).toEqual(publicKeyOf(info));
  });

  it("of a Taproot key is BIP-341's output key, the same for a point and its negative", () => {
    for (const { internalPublicKey, outputPublicKey } of vectors.outputs) {
      const internal = schnorr.utils.lift_x(BigInt(`0x${internalPublicKey}`));
      for (const publicKey of [internal, internal.negate()])
        expect(hex(publicKeyOf({ ...infoOf(FROST_TAPROOT), publicKey }))).toBe(outputPublicKey);
    }
  });
});

describe("P21 the tweak of a Taproot key", () => {
  const [input = expect.fail(), [output = expect.fail()]] = [vectors.inputs[0], vectors.outputs];
  const sigHash = hexToBytes(input.sigHash);
  const secretKey = BigInt(`0x${input.internalSecretKey}`);

  it("is the one under which BIP-341's own signature of an input verifies", () => {
    const [share = expect.fail()] = dealt(secretKey).values();
    expect(schnorr.verify(hexToBytes(input.signature), sigHash, publicKeyOf(share.info))).toBe(true);
  });

  it.each([
    ["BIP-341's own secret key", secretKey],
    ["its negative, whose point has the other y", scalarOf(SECP256K1, -secretKey)],
  ])("is added by the signers, whose shares are of the untweaked key: %s", (_, key) => {
    const starts = frostStarts({ shares: dealt(key), signers: [2, 3, 5].map(testParty), message: sigHash });
    for (const signature of outputsOf(runLockstep({ starts })).values()) {
      expect(schnorr.verify(signature, sigHash, hexToBytes(output.outputPublicKey))).toBe(true);
      expect(schnorr.verify(signature, sigHash, hexToBytes(input.internalPublicKey))).toBe(false);
    }
  });

  it("makes of the shares those of BIP-341's output secret key", () => {
    const { isNegated, shift, publicKey } =
      FROST_TAPROOT.frost?.signingKey(multiplyGenerator(SECP256K1, secretKey)) ?? expect.fail();
    const outputKey = scalarOf(SECP256K1, (isNegated ? -secretKey : secretKey) + shift);
    const published = BigInt(`0x${input.outputSecretKey}`);
    expect([published, scalarOf(SECP256K1, -published)]).toContain(outputKey);
    expect(multiplyGenerator(SECP256K1, outputKey).equals(publicKey)).toBe(true);
  });
});
