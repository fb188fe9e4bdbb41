import { bitLength, gcd } from "../arithmetic/integers.ts";
import { isProbablePrime } from "../arithmetic/openssl.ts";
import { isPerfectPower } from "../arithmetic/perfect-power.ts";
import { hasSmallFactor, SMALL_FACTOR_BITS } from "../arithmetic/small-factors.ts";
import type { PartyIndex } from "../fault.ts";
import type { Parameters } from "../parameters.ts";
import { accuse, type FaultStep } from "../session/steps.ts";
import type { PeerAuxiliary } from "./auxiliary-info.ts";
import type { AuxiliaryOpening } from "./opening.ts";

const flawOfModulus = (parameters: Parameters, n: bigint): string | undefined => {
  const bits = bitLength(n);
  if (bits < parameters.modulusBitsMin || bits > 2 * parameters.primeBits) return "bit length";
  if ((n & 1n) === 0n) return "oddness";
  // Small factors and prime powers leak k and x through Paillier's homomorphism (P1, CVE-2023-33241).
  if (hasSmallFactor(n)) return "small factors";
  if (isProbablePrime(n)) return "compositeness";
  return isPerfectPower(n, SMALL_FACTOR_BITS) ? "perfect power" : undefined;
};

const flawOfBases = ({ nHat, s, t }: AuxiliaryOpening): string | undefined => {
  if (s <= 1n || s >= nHat || t <= 1n || t >= nHat) return "range of s and t";
  if (s === t) return "s ≠ t";
  return gcd(s, nHat) === 1n && gcd(t, nHat) === 1n ? undefined : "s and t prime to N^";
};

/** The first failed check of an opening's moduli, with the cheap checks first; undefined when all pass. */
export const flawOfModuli = (parameters: Parameters, opening: AuxiliaryOpening): string | undefined => {
  if (opening.n === opening.nHat) return "N ≠ N^";
  const flawOfN = flawOfModulus(parameters, opening.n);
  if (flawOfN !== undefined) return `N: ${flawOfN}`;
  const flawOfNHat = flawOfModulus(parameters, opening.nHat);
  return flawOfNHat === undefined ? flawOfBases(opening) : `N^: ${flawOfNHat}`;
};

/** Whether two openings share a modulus, as N or as N^. */
export const shareModulus = (a: AuxiliaryOpening, b: AuxiliaryOpening): boolean =>
  [a.n, a.nHat].some((modulus) => modulus === b.n || modulus === b.nHat);

/**
 * Checks that all moduli differ, once every Πmod has passed; undefined if they do.
 *
 * An honest party makes its primes for this run alone, and opens its moduli only after it has received the
 * commitments of all others. So no other party can present its modulus: if two parties share one, both cheat,
 * and the higher index is named. Round 2 already named any peer that presents a modulus of ours.
 */
export const collisionOf = (peers: ReadonlyMap<PartyIndex, PeerAuxiliary>): FaultStep | undefined => {
  const seen = new Set<bigint>();
  for (const [party, { paillier, pedersen }] of [...peers].toSorted(([a], [b]) => a - b)) {
    if (seen.has(paillier.n) || seen.has(pedersen.n))
      return accuse(party, "aux/3 moduli distinct across parties");
    seen.add(paillier.n).add(pedersen.n);
  }
  return undefined;
};
