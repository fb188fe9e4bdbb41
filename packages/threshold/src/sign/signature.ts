import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE } from "@noble/curves/utils.js";
import { ORDER, type Point, SCALAR_BYTES } from "../group.ts";

/** An ECDSA signature over secp256k1, low-S. */
export interface Signature {
  readonly r: bigint;
  /** in [1, (q-1)/2] */
  readonly s: bigint;
  /** the recovery id: the parity of the nonce point's y, since r is never a reduced x */
  readonly recovery: 0 | 1;
}

/**
 * The low-S form of (r, s): both s and q - s verify, and chains accept only the smaller. Negating s negates
 * the nonce point, so the parity flips with it.
 *
 * @param Gamma the nonce point, with r = x(Γ)
 * @param s in [1, q)
 */
export const normalised = (Gamma: Point, r: bigint, s: bigint): Signature => {
  const isOdd = (Gamma.toAffine().y & 1n) === 1n;
  const isHigh = s > ORDER / 2n;
  return { r, s: isHigh ? ORDER - s : s, recovery: isOdd === isHigh ? 0 : 1 };
};

/** The number of keys whose tables are cached: enough for the wallets that sign at the same time. */
const KEYS_MAX = 16;
/** A table costs as much as some ten verifications, so a key gets one only after this many uses. */
const USES_WITHOUT_TABLE = 2;
/** Bits of the scalar for each lookup: 520 multiples of a key, some 100 KB. */
const WINDOW_BITS = 4;

interface KnownKey {
  readonly point: Point;
  uses: number;
}

const knownKeys = new Map<string, KnownKey>();

/** The key, with a table of its multiples after USES_WITHOUT_TABLE verifications. Key and table are public. */
const prepared = (publicKey: Point): Point => {
  const hex = publicKey.toHex();
  const known = knownKeys.get(hex) ?? { point: publicKey, uses: 0 };
  knownKeys.delete(hex);
  knownKeys.set(hex, known); // most recently used last
  const oldest = knownKeys.keys().next();
  if (knownKeys.size > KEYS_MAX && !oldest.done) knownKeys.delete(oldest.value);
  known.uses += 1;
  if (known.uses === USES_WITHOUT_TABLE + 1) known.point.precompute(WINDOW_BITS, false);
  return known.point;
};

/**
 * Whether the signature verifies for the 32-byte digest under the key, has a low s, and recovers to the key
 * (P19): the x of R = (m·G + r·X) / s is r, and the parity of its y is the recovery id (SEC 1, sections 4.1.4
 * and 4.1.6). A signature whose nonce point has an x of q or more would need a second recovery bit: this
 * package makes none, and refuses it here.
 */
export const isSignatureOf = (publicKey: Point, digest: Uint8Array, signature: Signature): boolean => {
  const { r, s, recovery } = signature;
  if (r <= 0n || r >= ORDER || s <= 0n || s > ORDER / 2n) return false;
  if (publicKey.is0() || digest.length !== SCALAR_BYTES) return false;
  const { BASE, Fn } = secp256k1.Point;
  const w = Fn.inv(s);
  const ofG = BASE.multiplyUnsafe(Fn.mul(Fn.create(bytesToNumberBE(digest)), w));
  const { x, y } = ofG.add(prepared(publicKey).multiplyUnsafe(Fn.mul(r, w))).toAffine();
  return x === r && (y & 1n) === BigInt(recovery);
};
