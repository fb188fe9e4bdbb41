import { randomBytes } from "node:crypto";
import { setImmediate as immediate } from "node:timers/promises";
import { type AuxiliaryPrimes, type Parameters, Secret } from "@conclave/threshold";
import { isOfKind } from "./primality.ts";
import { CANDIDATES, oddPrimesBelow, type PrimeKind, survivors } from "./sieve.ts";

const PRIMES = 4;
/** Two primes of one modulus are equal with probability 2^-600; that many equal draws in a row mean a broken generator. */
const TRIES_MAX = 8;

/** Beyond this limit, a longer sieve costs more than the powers that it saves. */
const SIEVE_LIMIT_MAX = 2 ** 23;
const WINDOW_MAX = 2 ** 20;
const TESTS_WITHOUT_PAUSE = 32;

/**
 * Factors below this limit are sieved out. It grows with the candidates' length, because a missed composite then costs more.
 */
const sieveLimit = (bits: number): number => Math.min(4 * bits ** 2, SIEVE_LIMIT_MAX);

/** Number of candidates after one random start. They contain about ten Blum primes, or four safe primes. */
const windowOf = (bits: number, kind: PrimeKind): number =>
  Math.min(kind === "blum" ? 4 * bits : Math.ceil(bits ** 2 / 4), WINDOW_MAX);

/** A random candidate whose two highest bits are set, so that the product of two primes has full length. */
const randomStart = (bits: number, kind: PrimeKind): bigint => {
  const { step, rest } = CANDIDATES[kind];
  const drawn = BigInt(`0x${randomBytes(Math.ceil(bits / 8)).toString("hex")}`);
  const start = BigInt.asUintN(bits - 2, drawn) + (3n << BigInt(bits - 2));
  return start - (start % BigInt(step)) + BigInt(rest);
};

/** Finds the first prime of its kind after a random start; undefined if the window contains none. */
const searchWindow = async (
  bits: number,
  kind: PrimeKind,
  sievedOut: Uint32Array,
): Promise<bigint | undefined> => {
  const start = randomStart(bits, kind);
  const step = BigInt(CANDIDATES[kind].step);
  for (const [tests, i] of survivors(kind, start, windowOf(bits, kind), sievedOut).entries()) {
    const candidate = start + step * BigInt(i);
    if (candidate >> BigInt(bits) !== 0n) return undefined;
    if (await isOfKind(kind, candidate)) return candidate;
    if (tests % TESTS_WITHOUT_PAUSE === 0) await immediate(); // lets a request to stop be handled
  }
  return undefined;
};

const makePrime = async (bits: number, kind: PrimeKind, sievedOut: Uint32Array): Promise<bigint> => {
  for (;;) {
    const found = await searchWindow(bits, kind, sievedOut);
    if (found !== undefined) return found;
  }
};

/** Reports how many primes are found of how many, such as 2 of 4. */
export type PrimesProgress = (done: number, of: number) => void;

/**
 * Makes new primes for auxiliary generation. At 1536 bits it takes about 4 s of one core, nearly all of it for the two safe
 * primes. It keeps the caller's thread busy, so it runs in a process of its own (search.ts).
 *
 * OpenSSL needs four times as long for the same primes, because it tries few small factors before the first power. Here a
 * sieve leaves about one candidate in 100, and one power decides about most of them. The remaining ones are tested as OpenSSL
 * does (at least 64 rounds with random bases); for a safe prime both n and (n - 1) / 2.
 *
 * Starts are uniformly random, and every prime has its own start. As in every incremental search, including OpenSSL's, the
 * probability of a prime is proportional to the gap before it; this costs a negligible part of its entropy (Brandt and Damgård,
 * CRYPTO '92). The duration of a search reveals only how many candidates it tried after a secret start.
 *
 * @param parameters at least 32 bits per prime
 * @returns p = q = 3 mod 4 for the Paillier modulus; safe pHat, qHat for the ring-Pedersen modulus
 */
export const makeAuxiliaryPrimes = async (
  parameters: Pick<Parameters, "primeBits">,
  progress: PrimesProgress = () => undefined,
): Promise<Secret<AuxiliaryPrimes>> => {
  const { primeBits } = parameters;
  const sievedOut = oddPrimesBelow(sieveLimit(primeBits));
  let done = 0;
  const make = async (kind: PrimeKind): Promise<bigint> => {
    const prime = await makePrime(primeBits, kind, sievedOut);
    done += 1;
    progress(done, PRIMES);
    return prime;
  };
  const pair = async (kind: PrimeKind): Promise<readonly [bigint, bigint]> => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const first = await make(kind);
      const second = await make(kind);
      if (first !== second) return [first, second];
    }
    throw new Error("the prime generator does not behave like one");
  };
  const [p, q] = await pair("blum");
  const [pHat, qHat] = await pair("safe");
  return new Secret({ p, q, pHat, qHat });
};
