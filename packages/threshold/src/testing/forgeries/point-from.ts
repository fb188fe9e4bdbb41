import { secp256k1 } from "@noble/curves/secp256k1.js";
import { numberToBytesBE } from "@noble/curves/utils.js";
import type { Point } from "../../group.ts";

/** The first point of secp256k1 whose x is at least `x`. */
export const pointFrom = (x: bigint): Point => {
  for (let candidate = x; ; candidate++) {
    try {
      return secp256k1.Point.fromBytes(Uint8Array.from([2, ...numberToBytesBE(candidate, 32)]));
    } catch {
      // no point has this x
    }
  }
};
