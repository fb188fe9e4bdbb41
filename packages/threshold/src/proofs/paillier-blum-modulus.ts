import { type FactoredModulus, powerModN } from "../arithmetic/factored.ts";
import { areUnits, isUnit, jacobi, modulo, mustInvert } from "../arithmetic/integers.ts";
import { isProbablePrime, powModulo } from "../arithmetic/openssl.ts";
import { boolean, type Codec, list, natural, naturalBytesMax, struct } from "../codec.ts";
import { type Entropy, sampleUnit } from "../entropy.ts";
import type { Parameters } from "../parameters.ts";
import { challenge, type ProofContext } from "../transcript.ts";

/** The answer to one challenge y of Πmod. */
export interface BlumModulusAnswer {
  /** x with x^4 = (-1)^a·w^b·y mod N */
  readonly x: bigint;
  readonly a: boolean;
  readonly b: boolean;
  /** z = y^(N^-1 mod φ(N)) mod N */
  readonly z: bigint;
}

/** Πmod (Figure 12): N is a product of two primes, each 3 mod 4, and gcd(N, φ(N)) = 1. */
export interface BlumModulusProof {
  /** a unit with Jacobi symbol -1 */
  readonly w: bigint;
  readonly answers: readonly BlumModulusAnswer[];
}

export const blumModulusProofCodec = (parameters: Parameters): Codec<BlumModulusProof> => {
  const element = natural(2 * parameters.primeBits);
  return struct<BlumModulusProof>({
    w: element,
    answers: list(
      struct<BlumModulusAnswer>({ x: element, a: boolean, b: boolean, z: element }),
      parameters.iterations,
    ),
  });
};

/** The longest encoding, in bytes. */
export const blumModulusProofBytesMax = ({ primeBits, iterations }: Parameters): number =>
  naturalBytesMax(2 * primeBits) + iterations * (2 * naturalBytesMax(2 * primeBits) + 2);

/** y_1 … y_m in Z*_N: the challenge that w and N determine. */
export const blumModulusChallenges = (
  context: ProofContext,
  parameters: Parameters,
  n: bigint,
  w: bigint,
): readonly bigint[] =>
  challenge("Πmod", context, [parameters.iterations, n, w]).units(n, parameters.iterations);

/** (-1)^a·w^b·y mod N */
const twist = (n: bigint, w: bigint, y: bigint, a: boolean, b: boolean): bigint => {
  const turned = b ? (w * y) % n : y;
  return a ? modulo(-turned, n) : turned;
};

/** Whether value is a square modulo both primes. */
const isSquare = ({ p, q }: FactoredModulus, value: bigint): boolean =>
  jacobi(value, p) === 1 && jacobi(value, q) === 1;

const BOOLEANS = [false, true] as const;
const TWISTS = BOOLEANS.flatMap((a) => BOOLEANS.map((b) => ({ a, b })));

/**
 * Figure 12, prover. For Blum primes, -1 is a non-square modulo both and w modulo exactly one, so exactly one
 * of the four twists of y is a square. A square has one square root that is itself a square, the power
 * (φ+4)/8; applied twice it gives the fourth root.
 */
export const proveBlumModulus = (
  context: ProofContext,
  parameters: Parameters,
  factors: FactoredModulus,
  entropy: Entropy,
): BlumModulusProof => {
  const { n, phi } = factors;
  const w = sampleNonSquare(n, entropy);
  const rootExponent = ((phi + 4n) / 8n) ** 2n % phi;
  const nInverse = mustInvert(n, phi);
  const answers = blumModulusChallenges(context, parameters, n, w).map((y): BlumModulusAnswer => {
    const chosen = TWISTS.find(({ a, b }) => isSquare(factors, twist(n, w, y, a, b)));
    if (chosen === undefined) throw new Error("our own Paillier modulus is not a Blum integer");
    const x = powerModN(factors, twist(n, w, y, chosen.a, chosen.b), rootExponent);
    return { x, ...chosen, z: powerModN(factors, y, nInverse) };
  });
  return { w, answers };
};

const sampleNonSquare = (n: bigint, entropy: Entropy): bigint => {
  for (;;) {
    const w = sampleUnit(entropy, n);
    if (jacobi(w, n) === -1) return w; // half of all units
  }
};

/**
 * Figure 12, verifier. It checks gcd(w, N) = 1 besides the Jacobi symbol: otherwise, a w that is 0 modulo one
 * factor would forge the proof for any N (P2, CVE-2025-66016). It requires that all challenges differ: if all
 * were equal, the soundness error would be 1/2 (P4).
 */
export const verifyBlumModulus = (
  context: ProofContext,
  parameters: Parameters,
  n: bigint,
  proof: BlumModulusProof,
): boolean => {
  const { w, answers } = proof;
  if (answers.length !== parameters.iterations) return false;
  if ((n & 1n) === 0n || isProbablePrime(n)) return false;
  if (!isUnit(w, n) || jacobi(w, n) !== -1) return false;
  if (
    !areUnits(
      answers.map(({ x }) => x),
      n,
    ) ||
    !areUnits(
      answers.map(({ z }) => z),
      n,
    )
  )
    return false;
  const ys = blumModulusChallenges(context, parameters, n, w);
  if (new Set(ys).size !== parameters.iterations) return false;
  const isFourthRoot = ({ x, a, b }: BlumModulusAnswer, i: number): boolean => {
    const square = (x * x) % n;
    return (square * square) % n === twist(n, w, ys[i] ?? 0n, a, b);
  };
  return answers.every(isFourthRoot) && answers.every(({ z }, i) => powModulo(z, n, n) === ys[i]);
};
