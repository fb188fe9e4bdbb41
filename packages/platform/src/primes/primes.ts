import { type GeneratePrimeOptionsBigInt, generatePrime } from "node:crypto";
import { type AuxiliaryPrimes, type Parameters, Secret } from "@conclave/threshold";

/** A safe prime is (p - 1) / 2 prime as well; a Blum prime is 3 mod 4. */
type PrimeKind = "blum" | "safe";

const OPTIONS: Readonly<Record<PrimeKind, GeneratePrimeOptionsBigInt>> = {
  blum: { bigint: true, add: 4n, rem: 3n },
  safe: { bigint: true, safe: true },
};

const PRIMES = 4;
/** The two of one modulus come out equal with probability 2^-600; more tries mean a broken generator. */
const TRIES_MAX = 8;

const makePrime = (bits: number, kind: PrimeKind): Promise<bigint> =>
  new Promise((resolve, reject) => {
    generatePrime(bits, OPTIONS[kind], (error, prime) => (error ? reject(error) : resolve(prime)));
  });

/** A prime whose two highest bits are set, so that the product of two has full length. */
const makeFactor = async (bits: number, kind: PrimeKind): Promise<bigint> => {
  for (let tries = 0; tries < TRIES_MAX * 16; tries++) {
    const prime = await makePrime(bits, kind);
    if (prime >> BigInt(bits - 2) === 3n) return prime;
  }
  throw new Error("the prime generator does not behave like one");
};

/** Done primes of all, such as 2 of 4. */
export type PrimesProgress = (done: number, of: number) => void;

/**
 * Fresh primes for auxiliary generation, by OpenSSL on libuv's threads: the caller's thread stays free, and two of
 * the pool's four threads, for the disk. At 1536 bits
 * this takes some 10 s of one core, nearly all of it for the safe primes.
 *
 * @returns p = q = 3 mod 4 for the Paillier modulus; safe pHat, qHat for the ring-Pedersen modulus
 */
export const makeAuxiliaryPrimes = async (
  parameters: Pick<Parameters, "primeBits">,
  progress: PrimesProgress = () => undefined,
): Promise<Secret<AuxiliaryPrimes>> => {
  const { primeBits } = parameters;
  let done = 0;
  const make = async (kind: PrimeKind): Promise<bigint> => {
    const prime = await makeFactor(primeBits, kind);
    done += 1;
    progress(done, PRIMES);
    return prime;
  };
  const pair = async (kind: PrimeKind): Promise<readonly [bigint, bigint]> => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const [first, second] = await Promise.all([make(kind), make(kind)]);
      if (first !== second) return [first, second];
    }
    throw new Error("the prime generator does not behave like one");
  };
  const [p, q] = await pair("blum");
  const [pHat, qHat] = await pair("safe");
  return new Secret({ p, q, pHat, qHat });
};
