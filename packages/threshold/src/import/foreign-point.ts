import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Curve, GroupPoint } from "../curve.ts";

const UNCOMPRESSED_BYTES = 65;

/**
 * Parses a point as import clients encode it: SEC1 compressed or uncompressed on secp256k1, RFC 8032 on
 * Ed25519. Undefined for other bytes, the identity, and points outside the group of prime order.
 */
export const parseForeignPoint = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  bytes: Uint8Array,
): P | undefined => {
  if (curve.name !== "secp256k1" || bytes.length !== UNCOMPRESSED_BYTES) return curve.parsePoint(bytes);
  try {
    return curve.parsePoint(secp256k1.Point.fromBytes(bytes).toBytes(true));
  } catch {
    return undefined; // not on the curve
  }
};
