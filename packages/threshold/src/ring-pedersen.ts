import { type FactoredModulus, factoredModulus, powerModN } from "./arithmetic/factored.ts";
import { inverse, modulo } from "./arithmetic/integers.ts";
import { powModulo } from "./arithmetic/openssl.ts";

/** Ring-Pedersen parameters (N^, s, t): s is in the group that t generates, as one Πprm proves. */
export interface RingPedersen {
  readonly n: bigint;
  readonly s: bigint;
  readonly t: bigint;
}

/** The parameters with the secrets of their owner: the factors of N^, and λ with s = t^λ. */
export interface OwnRingPedersen {
  readonly parameters: RingPedersen;
  readonly factors: FactoredModulus;
  readonly lambda: bigint;
}

interface Inverses {
  readonly s: bigint;
  readonly t: bigint;
}

const inversesOf = new WeakMap<RingPedersen, Inverses>();

const mustInvertBase = (base: bigint, n: bigint): bigint => {
  const inverted = inverse(base, n);
  if (inverted === undefined) throw new Error("ring-Pedersen bases were checked to be units");
  return inverted;
};

/**
 * s^-1 and t^-1, cached. The bases are public and few, so Euclid's algorithm runs once for each, and never on
 * a secret (P16).
 */
const inverses = (parameters: RingPedersen): Inverses => {
  const known = inversesOf.get(parameters);
  if (known !== undefined) return known;
  const { n, s, t } = parameters;
  const made: Inverses = { s: mustInvertBase(s, n), t: mustInvertBase(t, n) };
  inversesOf.set(parameters, made);
  return made;
};

/**
 * base^exponent mod N^ for a signed exponent: half of a commitment. The half in t depends on no witness and
 * can be precomputed.
 */
export const raise = (parameters: RingPedersen, base: "s" | "t", exponent: bigint): bigint =>
  exponent < 0n
    ? powModulo(inverses(parameters)[base], -exponent, parameters.n)
    : powModulo(parameters[base], exponent, parameters.n);

/** s^x·t^r mod N^ for signed x and r: for the prover, which does not know the factors of N^. */
export const commit = (parameters: RingPedersen, x: bigint, r: bigint): bigint =>
  (raise(parameters, "s", x) * raise(parameters, "t", r)) % parameters.n;

/** Whether both have the same N^, s and t. */
export const isSameRingPedersen = (a: RingPedersen, b: RingPedersen): boolean =>
  a.n === b.n && a.s === b.s && a.t === b.t;

/** The same value as `commit`, computed by the owner: t^(λx + r), one short power for each prime factor. */
export const commitOwn = (own: OwnRingPedersen, x: bigint, r: bigint): bigint =>
  powerModN(own.factors, own.parameters.t, modulo(own.lambda * x + r, own.factors.phi));

/** base^exponent mod N^, computed by the owner, for a signed exponent and a base in Z*_N^. */
export const powerOwn = (own: OwnRingPedersen, base: bigint, exponent: bigint): bigint =>
  powerModN(own.factors, base, exponent);

/**
 * The parameters that derive from their secrets: s = t^λ mod p^·q^.
 *
 * @param p @param q distinct safe primes
 * @param t a square in Z*_N^
 * @param lambda in [0, φ(N^))
 */
export const ownRingPedersen = (p: bigint, q: bigint, t: bigint, lambda: bigint): OwnRingPedersen => {
  const factors = factoredModulus(p, q);
  return { parameters: { n: factors.n, s: powerModN(factors, t, lambda), t }, factors, lambda };
};
