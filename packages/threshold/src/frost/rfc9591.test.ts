import { bytesToNumberBE, bytesToNumberLE, hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import ed25519Vector from "../../../../test/vectors/rfc9591-frost-ed25519-sha512.json" with { type: "json" };
import secp256k1Vector from "../../../../test/vectors/rfc9591-frost-secp256k1-sha256.json" with {
  type: "json",
};
import { type GroupPoint, multiplyGenerator, type Point, scalarOf } from "../curve.ts";
import { testParty } from "../testing/insecure-auxiliary.ts";
import { BIP340_SUITE } from "./bip340-suites.ts";
import type { Ciphersuite } from "./ciphersuite.ts";
import { bindingFactors } from "./commitments.ts";
import { ED25519_SUITE } from "./ed25519-suite.ts";
import { dividedCommitment, generateNonces } from "./nonce.ts";
import { hashToScalar, secp256k1Hashes } from "./secp256k1-hashes.ts";
import { aggregate, isSignatureShare, shareChallenge, signatureShare } from "./signature-share.ts";

/** The RFC's nonces hash no run, only randomness and share. */
const NO_RUN = new Uint8Array(0);
const SECP256K1_CONTEXT = "FROST-secp256k1-SHA256-v1";

/** RFC 9591, section 6.5: its Schnorr signatures are not verified on any chain, but use the same equations. */
const SECP256K1_SUITE: Ciphersuite<Point> = {
  ...BIP340_SUITE,
  hashes: secp256k1Hashes(SECP256K1_CONTEXT),
  pointBytes: (point) => point.toBytes(),
  signingKey: (publicKey) => ({ publicKey, isNegated: false, shift: 0n }),
  negatesNonces: () => false,
  challenge: (R, publicKey, message) =>
    hashToScalar(
      `${SECP256K1_CONTEXT}chal`,
      Uint8Array.from([...R.toBytes(), ...publicKey.toBytes(), ...message]),
    ),
};

/** The values of a vector, parsed. */
const parsedVector = <P extends GroupPoint<P>>(
  suite: Ciphersuite<P>,
  vector: typeof ed25519Vector,
  toScalar: (bytes: Uint8Array) => bigint,
) => {
  const scalar = (hex: string): bigint => toScalar(hexToBytes(hex));
  const point = (hex: string): P => suite.curve.parsePoint(hexToBytes(hex)) ?? expect.fail("not a point");
  const publicKey = point(vector.groupPublicKey);
  const message = hexToBytes(vector.message);
  const secretShareOf = (identifier: number): bigint =>
    scalar(vector.shares.find((share) => share.identifier === identifier)?.share ?? expect.fail());
  const list = vector.participants.map((participant) => ({
    party: testParty(participant.identifier),
    hiding: point(participant.hidingNonceCommitment),
    binding: point(participant.bindingNonceCommitment),
  }));
  const challenge =
    shareChallenge(suite, suite.signingKey(publicKey), list, message) ?? expect.fail("R is the identity");
  const shares = vector.participants.map(({ identifier, hidingNonce, bindingNonce }) =>
    signatureShare(challenge, testParty(identifier), secretShareOf(identifier), {
      hiding: scalar(hidingNonce),
      binding: scalar(bindingNonce),
    }),
  );
  return { scalar, point, publicKey, message, secretShareOf, list, challenge, shares };
};

const checkVector = <P extends GroupPoint<P>>(
  suite: Ciphersuite<P>,
  vector: typeof ed25519Vector,
  toScalar: (bytes: Uint8Array) => bigint,
): void => {
  const { curve } = suite;
  const parsed = parsedVector(suite, vector, toScalar);
  const { scalar, point, secretShareOf, challenge, shares } = parsed;

  it("hashes randomness and share to the nonces, and commits to them", () => {
    for (const participant of vector.participants) {
      const randomness = [participant.hidingNonceRandomness, participant.bindingNonceRandomness];
      const entropy = (): Uint8Array => hexToBytes(randomness.shift() ?? expect.fail("too much drawn"));
      const nonces = generateNonces(suite, secretShareOf(participant.identifier), NO_RUN, entropy);
      expect(nonces.hiding).toBe(scalar(participant.hidingNonce));
      expect(nonces.binding).toBe(scalar(participant.bindingNonce));
      const [hiding, binding] = [nonces.hiding, nonces.binding].map((nonce) =>
        dividedCommitment(suite, nonce).clearCofactor(),
      );
      expect(hiding?.equals(point(participant.hidingNonceCommitment))).toBe(true);
      expect(binding?.equals(point(participant.bindingNonceCommitment))).toBe(true);
    }
  });

  it("binds the message and all commitments into a factor for each signer", () => {
    const { publicKey, list, message } = parsed;
    expect(bindingFactors(suite, publicKey, list, message)).toEqual(
      vector.participants.map((participant) => scalar(participant.bindingFactor)),
    );
  });

  it("gives the signature shares, each of which verifies by itself", () => {
    expect(shares).toEqual(vector.participants.map(({ signatureShare }) => scalar(signatureShare)));
    for (const [at, { identifier }] of vector.participants.entries()) {
      const publicShare = multiplyGenerator(curve, secretShareOf(identifier));
      const share = shares[at] ?? expect.fail();
      expect(isSignatureShare(challenge, testParty(identifier), publicShare, share)).toBe(true);
      const other = scalarOf(curve, share + 1n);
      expect(isSignatureShare(challenge, testParty(identifier), publicShare, other)).toBe(false);
    }
  });

  it("gives the signature", () => {
    expect(Buffer.from(aggregate(challenge, shares)).toString("hex")).toBe(vector.signature);
  });
};

describe("FROST(Ed25519, SHA-512) of RFC 9591", () => {
  checkVector(ED25519_SUITE, ed25519Vector, bytesToNumberLE);

  it("ends in a signature that plain Ed25519 verifies", () => {
    const { signature, message, groupPublicKey } = ed25519Vector;
    const verify = (signed: Uint8Array): boolean =>
      ED25519_SUITE.verify(hexToBytes(signature), signed, hexToBytes(groupPublicKey));
    expect(verify(hexToBytes(message))).toBe(true);
    expect(verify(new Uint8Array(4))).toBe(false);
  });
});

describe("FROST(secp256k1, SHA-256) of RFC 9591", () => {
  checkVector(SECP256K1_SUITE, secp256k1Vector, bytesToNumberBE);
});
