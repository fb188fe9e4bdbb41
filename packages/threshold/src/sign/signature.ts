import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ORDER, type Point } from "../group.ts";

/** An ECDSA signature over secp256k1, low-S. */
export interface Signature {
  readonly r: bigint;
  /** in [1, (q-1)/2] */
  readonly s: bigint;
  /** the parity of the nonce point's y: the recovery id, since r is never a reduced x */
  readonly recovery: 0 | 1;
}

/**
 * The low-S form of (r, s): q - s signs as well as s, and chains accept the smaller only. Its nonce point is the
 * negated one, so the parity flips with it.
 *
 * @param Gamma the nonce point, with r = x(Γ)
 * @param s in [1, q)
 */
export const normalised = (Gamma: Point, r: bigint, s: bigint): Signature => {
  const isOdd = (Gamma.toAffine().y & 1n) === 1n;
  const isHigh = s > ORDER / 2n;
  return { r, s: isHigh ? ORDER - s : s, recovery: isOdd === isHigh ? 0 : 1 };
};

/** The key that a signature recovers to; undefined where r is the x of no point. */
const recovered = ({ r, s, recovery }: Signature, digest: Uint8Array): Point | undefined => {
  try {
    return new secp256k1.Signature(r, s, recovery).recoverPublicKey(digest);
  } catch {
    return undefined;
  }
};

/**
 * Whether the signature is good for the 32-byte digest under the key, has a low s, and recovers to the key (P19). The
 * one check is both: a library recovers the X with s·R = m·G + r·X for the R of r and the parity, which is the equation
 * of verification. One whose nonce point has an x of q or more does not recover by a single bit, and is none of ours.
 */
export const isSignatureOf = (publicKey: Point, digest: Uint8Array, signature: Signature): boolean => {
  const { r, s } = signature;
  if (r <= 0n || r >= ORDER || s <= 0n || s > ORDER / 2n) return false;
  return recovered(signature, digest)?.equals(publicKey) ?? false;
};
