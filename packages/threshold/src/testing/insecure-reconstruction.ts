import { type GroupPoint, scalarOf } from "../curve.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { lagrangeAtZero } from "../sharing/lagrange.ts";

/** Every way to choose `count` of the items. */
export const choose = <T>(items: readonly T[], count: number): readonly (readonly T[])[] => {
  const [first, ...rest] = items;
  if (count === 0) return [[]];
  if (first === undefined) return [];
  return [...choose(rest, count - 1).map((chosen) => [first, ...chosen]), ...choose(rest, count)];
};

/** INSECURE: the secret that these shares determine together: the key, if they are t shares of one epoch (INV-1). */
export const insecureSecretOf = <P extends GroupPoint<P>>(shares: readonly KeyShare<P>[]): bigint => {
  const [first] = shares;
  if (first === undefined) throw new RangeError("no shares determine anything");
  const { curve } = first.info.scheme;
  const lambda = lagrangeAtZero(
    curve,
    shares.map(({ self }) => self),
  );
  return scalarOf(
    curve,
    shares.reduce((sum, { secretShare }, at) => sum + (lambda[at] ?? 0n) * secretShare.reveal(), 0n),
  );
};

/**
 * INSECURE: the secrets that all sets of `count` shares of two mixed epochs determine. No set holds both
 * shares of one party, since they have the same index.
 */
export const insecureMixesOf = <P extends GroupPoint<P>>(
  old: readonly KeyShare<P>[],
  renewed: readonly KeyShare<P>[],
  count: number,
): readonly bigint[] => {
  const isMixed = (shares: readonly KeyShare<P>[]): boolean =>
    new Set(shares.map(({ self }) => self)).size === count &&
    new Set(shares.map(({ info }) => info.epoch)).size === 2;
  return choose([...old, ...renewed], count)
    .filter(isMixed)
    .map(insecureSecretOf);
};
