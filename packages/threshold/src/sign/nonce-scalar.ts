import { ORDER, type Point } from "../group.ts";

/**
 * r = x(Γ) of an ECDSA signature; undefined when Γ cannot be its nonce: the identity, r = 0 (P9), or x(Γ) not
 * below q. The last case has probability 2^-128; refusing it keeps the recovery id a single bit.
 */
export const nonceScalar = (Gamma: Point): bigint | undefined => {
  if (Gamma.is0()) return undefined;
  const { x } = Gamma.toAffine();
  return x > 0n && x < ORDER ? x : undefined;
};
