import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js";
import { multiplyKnown, type Point, SCALAR_BYTES, SECP256K1, scalarOf } from "../curve.ts";
import { type Ciphersuite, type SigningKey, untweaked } from "./ciphersuite.ts";
import { secp256k1Hashes } from "./secp256k1-hashes.ts";

/** The context string of the FROST for Taproot of ZF and noble, so that their signers can sign together with ours. */
const CONTEXT = "FROST-secp256k1-SHA256-TR-v1";

const hasOddY = (point: Point): boolean => (point.toAffine().y & 1n) === 1n;

/** The encoding of a point in BIP-340: x only, 32 bytes. */
const xOnly = (point: Point): Uint8Array => point.toBytes(true).slice(1);

/** The key or its negative: the one with even y, which BIP-340 verifiers assume. */
const evenKey = (publicKey: Point): SigningKey<Point> => {
  const isNegated = hasOddY(publicKey);
  return { publicKey: isNegated ? publicKey.negate() : publicKey, isNegated, shift: 0n };
};

/** The length of the root of a script tree. */
export const MERKLE_ROOT_BYTES = 32;

/**
 * H_TapTweak(x(P) ‖ root) of BIP-341; of x(P) alone for an empty script tree. With probability 2^-128 it is
 * not below q, and then BIP-341 refuses it.
 */
const tapTweak = (internalKey: Point, merkleRoot: Uint8Array | undefined): bigint => {
  if (merkleRoot !== undefined && merkleRoot.length !== MERKLE_ROOT_BYTES)
    throw new RangeError(`a merkle root of ${merkleRoot.length} bytes, and not ${MERKLE_ROOT_BYTES}`);
  const committed = merkleRoot === undefined ? [xOnly(internalKey)] : [xOnly(internalKey), merkleRoot];
  const tweak = bytesToNumberBE(schnorr.utils.taggedHash("TapTweak", ...committed));
  if (tweak >= SECP256K1.order) throw new Error("the TapTweak is not below the group order");
  return tweak;
};

/** BIP-341's output key Q = lift_x(x(P)) + H_TapTweak(x(P) ‖ root)·G, with an even y. */
const outputKey = (publicKey: Point, merkleRoot?: Uint8Array): SigningKey<Point> => {
  const internal = evenKey(publicKey);
  const tweak = tapTweak(internal.publicKey, merkleRoot);
  const tweaked = evenKey(internal.publicKey.add(multiplyKnown(SECP256K1, SECP256K1.generator, tweak)));
  return {
    publicKey: tweaked.publicKey,
    isNegated: internal.isNegated !== tweaked.isNegated,
    shift: scalarOf(SECP256K1, tweaked.isNegated ? -tweak : tweak),
  };
};

const challenge = (R: Point, publicKey: Point, message: Uint8Array): bigint => {
  const digest = schnorr.utils.taggedHash("BIP0340/challenge", xOnly(R), xOnly(publicKey), message);
  return scalarOf(SECP256K1, bytesToNumberBE(digest));
};

/** Whether a BIP-340 signature of 64 bytes verifies for the message under an x-only key of 32 bytes; never throws. */
export const verifyBip340 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean => {
  try {
    return schnorr.verify(signature, message, publicKey);
  } catch {
    return false;
  }
};

const suite = (signingKey: Ciphersuite<Point>["signingKey"]): Ciphersuite<Point> => ({
  curve: SECP256K1,
  hashes: secp256k1Hashes(CONTEXT),
  scalarBytes: (scalar) => numberToBytesBE(scalar, SCALAR_BYTES),
  pointBytes: xOnly,
  signingKey,
  negatesNonces: hasOddY,
  challenge,
  verify: verifyBip340,
});

/** BIP-340 signatures under the shared key itself. */
export const BIP340_SUITE: Ciphersuite<Point> = suite(untweaked(evenKey));

/** BIP-340 signatures under the BIP-341 output key of the shared key. */
export const TAPROOT_SUITE: Ciphersuite<Point> = suite(outputKey);

/**
 * BIP-341's output key, x only, which verifies signatures of a Taproot key.
 *
 * @param internalKey the shared key, compressed
 * @param merkleRoot of the script tree, 32 bytes; undefined for an empty tree
 * @returns undefined when the bytes are no point
 */
export const taprootOutputKey = (
  internalKey: Uint8Array,
  merkleRoot?: Uint8Array,
): Uint8Array | undefined => {
  const point = SECP256K1.parsePoint(internalKey);
  return point === undefined ? undefined : xOnly(outputKey(point, merkleRoot).publicKey);
};
