import { bitLength, gcd } from "../arithmetic/integers.ts";
import { isProbablePrime } from "../arithmetic/openssl.ts";
import { isPerfectPower } from "../arithmetic/perfect-power.ts";
import { hasSmallFactor, SMALL_FACTOR_BITS } from "../arithmetic/small-factors.ts";
import type { PartyIndex } from "../fault.ts";
import type { Parameters } from "../parameters.ts";
import type { Opening } from "./opening.ts";

const flawOfModulus = (parameters: Parameters, n: bigint): string | undefined => {
  const bits = bitLength(n);
  if (bits < parameters.modulusBitsMin || bits > 2 * parameters.primeBits) return "bit length";
  if ((n & 1n) === 0n) return "oddness";
  // Small factors and prime powers leak k and x through Paillier's homomorphism (P1, CVE-2023-33241).
  if (hasSmallFactor(n)) return "small factors";
  if (isProbablePrime(n)) return "compositeness";
  return isPerfectPower(n, SMALL_FACTOR_BITS) ? "perfect power" : undefined;
};

const flawOfBases = ({ nHat, s, t }: Opening): string | undefined => {
  if (s <= 1n || s >= nHat || t <= 1n || t >= nHat) return "range of s and t";
  if (s === t) return "s ≠ t";
  return gcd(s, nHat) === 1n && gcd(t, nHat) === 1n ? undefined : "s and t prime to N^";
};

/** The first of the checks of one opening that fails, cheap ones first; undefined when all hold. */
export const flawOf = (parameters: Parameters, opening: Opening): string | undefined => {
  if (opening.n === opening.nHat) return "N ≠ N^";
  const flawOfN = flawOfModulus(parameters, opening.n);
  if (flawOfN !== undefined) return `N: ${flawOfN}`;
  const flawOfNHat = flawOfModulus(parameters, opening.nHat);
  return flawOfNHat === undefined ? flawOfBases(opening) : `N^: ${flawOfNHat}`;
};

/**
 * The peer that shows a modulus which is another party's too; undefined when all differ. Everybody committed
 * before anybody showed, and an honest party's moduli are fresh (AuxiliaryPrimes): two peers whose moduli
 * collide have both cheated, and a peer that collides with us has. Of two cheats the higher index is named.
 */
export const findShared = (
  self: PartyIndex,
  openings: ReadonlyMap<PartyIndex, Opening>,
): PartyIndex | undefined => {
  const owners = new Map<bigint, PartyIndex>();
  for (const [party, { n, nHat }] of [...openings].toSorted(([a], [b]) => a - b)) {
    for (const modulus of [n, nHat]) {
      const owner = owners.get(modulus);
      if (owner !== undefined && owner !== party) return party === self ? owner : party;
      owners.set(modulus, party);
    }
  }
  return undefined;
};
