import { describe, expect, test } from "vitest";
import { factoredModulus } from "../arithmetic/factored.ts";
import { gcd, jacobi } from "../arithmetic/integers.ts";
import { isProbablePrime } from "../arithmetic/openssl.ts";
import { decode, encode } from "../codec.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import {
  bestAnswers as answersFor,
  blumPrimesBelow,
  equationsHold as holdsFor,
  productOf,
  vanishingW,
} from "../testing/forged-blum-modulus.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { INSECURE_BLUM_PRIMES, INSECURE_SAFE_PRIMES } from "../testing/insecure-test-primes.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import type { ProofContext } from "../transcript.ts";
import {
  type BlumModulusAnswer,
  type BlumModulusProof,
  blumModulusChallenges,
  blumModulusProofBytesMax,
  blumModulusProofCodec,
  proveBlumModulus,
  verifyBlumModulus,
} from "./paillier-blum-modulus.ts";

const { factors } = insecureOwnAuxiliary(1).paillier;
const { n } = factors;
const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 4,
  prover: 1,
  verifier: "all",
  position: "test",
};
const proof = proveBlumModulus(context, parameters, factors, seededEntropy("Πmod"));
const isAccepted = (changed: Partial<BlumModulusProof>): boolean =>
  verifyBlumModulus(context, parameters, n, { ...proof, ...changed });

const honestAnswer = (): BlumModulusAnswer => {
  const [answer] = proof.answers;
  if (answer === undefined) throw new Error("a proof has answers");
  return answer;
};
const answer = honestAnswer();
const withFirst = (changed: Partial<BlumModulusAnswer>): Partial<BlumModulusProof> => ({
  answers: [{ ...answer, ...changed }, ...proof.answers.slice(1)],
});

const allHold = new Array<boolean>(parameters.iterations).fill(true);

/** 16 primes of 16 bits, each 3 mod 4: the moduli of CVE-2023-33241. */
const sixteenSmallPrimes = blumPrimesBelow(65_536n, 16);

const bestAnswers = (primes: readonly bigint[], w: bigint, level = parameters): BlumModulusProof =>
  answersFor(context, level, primes, w);

/** The result of a verifier that does not check w and N. */
const equationsHold = (modulus: bigint, forged: BlumModulusProof, level = parameters): readonly boolean[] =>
  holdsFor(context, level, modulus, forged);

const prime = (primes: readonly bigint[], position: number): bigint => primes[position] ?? 0n;

describe("Πmod", () => {
  test("accepts what an honest prover makes", () => {
    expect(isAccepted({})).toBe(true);
  });

  test("survives its encoding, within the announced size", () => {
    const bytes = encode(blumModulusProofCodec(parameters), proof);
    expect(decode(blumModulusProofCodec(parameters), bytes)).toEqual({ ok: true, value: proof });
    expect(bytes.length).toBeLessThanOrEqual(blumModulusProofBytesMax(parameters));
  });

  test("P2 rejects the forgery of CVE-2025-66016: w = 0 modulo 16 small factors, 1 modulo the large one", () => {
    const large = prime(INSECURE_BLUM_PRIMES, 0);
    const primes = [large, ...sixteenSmallPrimes];
    const weak = productOf(primes);
    const forged = bestAnswers(primes, vanishingW(primes));
    expect(equationsHold(weak, forged)).toEqual(allHold);
    expect(verifyBlumModulus(context, parameters, weak, forged)).toBe(false);
  });

  test("P2 rejects the same forgery for two primes of full size", () => {
    const primes = [factors.p, factors.q];
    const forged = bestAnswers(primes, vanishingW(primes));
    expect(equationsHold(n, forged)).toEqual(allHold);
    expect(verifyBlumModulus(context, parameters, n, forged)).toBe(false);
  });

  test("P4 rejects challenges that repeat, as they do below a small N, even where every equation holds", () => {
    const primes = [3n, 11n];
    const small = productOf(primes);
    const w = 5n;
    expect(jacobi(w, small)).toBe(-1);
    const forged = bestAnswers(primes, w);
    expect(equationsHold(small, forged)).toEqual(allHold);
    expect(verifyBlumModulus(context, parameters, small, forged)).toBe(false);
  });

  test("P2 rejects a w of Jacobi symbol 1 even where it answers every challenge", () => {
    const two = { ...parameters, iterations: 2 }; // each challenge has an answer with probability 1/2
    const forged = [...Array(200).keys()]
      .map((k) => bestAnswers([factors.p, factors.q], BigInt(k + 2) ** 2n, two))
      .find((candidate) => equationsHold(n, candidate, two).every((holds) => holds));
    expect(jacobi(forged?.w ?? 0n, n)).toBe(1);
    expect(verifyBlumModulus(context, two, n, forged ?? proof)).toBe(false);
  });

  test("rejects a w not below N even where it answers every challenge", () => {
    const forged = bestAnswers([factors.p, factors.q], proof.w + n);
    expect(equationsHold(n, forged)).toEqual(allHold);
    expect(verifyBlumModulus(context, parameters, n, forged)).toBe(false);
  });

  test("P1 rejects the modulus of CVE-2023-33241: 16 small factors beside a large one", () => {
    const primes = [prime(INSECURE_BLUM_PRIMES, 0), ...sixteenSmallPrimes];
    const weak = productOf(primes);
    const w = [...Array(64).keys()].map((k) => BigInt(k + 2)).find((value) => jacobi(value, weak) === -1);
    const forged = bestAnswers(primes, w ?? 0n);
    expect(jacobi(forged.w, weak)).toBe(-1);
    expect(verifyBlumModulus(context, parameters, weak, forged)).toBe(false);
  });

  test("rejects a prime N, for which all equations can be met", () => {
    const only = prime(INSECURE_BLUM_PRIMES, 0);
    const forged = bestAnswers([only], only - 1n); // -1 is a non-square
    expect(equationsHold(only, forged)).toEqual(allHold);
    expect(jacobi(forged.w, only)).toBe(-1);
    expect(verifyBlumModulus(context, parameters, only, forged)).toBe(false);
  });

  test("rejects a product of three primes", () => {
    const primes = [0, 1, 2].map((position) => prime(INSECURE_BLUM_PRIMES, position));
    const triple = primes.reduce((product, factor) => product * factor, 1n);
    const forged = bestAnswers(primes, triple - 1n); // Jacobi symbol of -1: (-1)^3
    expect(jacobi(forged.w, triple)).toBe(-1);
    expect(verifyBlumModulus(context, parameters, triple, forged)).toBe(false);
  });

  test("rejects the square of a prime, whose φ shares a factor with it", () => {
    const base = prime(INSECURE_BLUM_PRIMES, 0);
    expect(gcd(base ** 2n, base * (base - 1n))).not.toBe(1n);
    expect(verifyBlumModulus(context, parameters, base ** 2n, proof)).toBe(false);
  });

  test.each<[string, bigint]>([
    ["an even N", 2n * n],
    ["N = 1", 1n],
    ["N = 3", 3n],
    ["N = 0", 0n],
    ["a negative N", -n],
    ["another N", prime(INSECURE_SAFE_PRIMES, 0) * prime(INSECURE_SAFE_PRIMES, 1)],
  ])("rejects %s", (_, other) => {
    expect(verifyBlumModulus(context, parameters, other, proof)).toBe(false);
  });

  test("throws, and proves nothing, when our own modulus is no Blum integer", () => {
    const notBlum = [...Array(400).keys()]
      .map((k) => prime(INSECURE_BLUM_PRIMES, 0) + BigInt(4 * k) + 2n)
      .find((candidate) => isProbablePrime(candidate));
    const own = factoredModulus(notBlum ?? 0n, prime(INSECURE_BLUM_PRIMES, 1));
    expect(() => proveBlumModulus(context, parameters, own, seededEntropy("x"))).toThrow(
      "not a Blum integer",
    );
  });

  test.each<[string, ProofContext]>([
    ["session", { ...context, session: new Uint8Array(32).fill(2) }],
    ["epoch", { ...context, epoch: 5 }],
    ["prover", { ...context, prover: 2 }],
    ["verifier", { ...context, verifier: 2 }],
    ["position", { ...context, position: "elsewhere" }],
  ])("P11 rejects a proof made for another %s", (_, elsewhere) => {
    expect(verifyBlumModulus(elsewhere, parameters, n, proof)).toBe(false);
  });

  test.each<[string, Partial<BlumModulusProof>]>([
    ["w = 0", { w: 0n }],
    ["a w not below N", { w: proof.w + n }],
    ["a negative w", { w: proof.w - n }],
    ["another w", { w: (proof.w * 4n) % n }],
    ["a changed x", withFirst({ x: answer.x + 1n })],
    ["x = 0", withFirst({ x: 0n })],
    ["an x not below N", withFirst({ x: answer.x + n })],
    ["a negative x", withFirst({ x: answer.x - n })],
    ["an x that shares a factor with N", withFirst({ x: factors.p })],
    ["a turned a", withFirst({ a: !answer.a })],
    ["a turned b", withFirst({ b: !answer.b })],
    ["a changed z", withFirst({ z: answer.z + 1n })],
    ["z = 0", withFirst({ z: 0n })],
    ["a z not below N", withFirst({ z: answer.z + n })],
    ["a negative z", withFirst({ z: answer.z - n })],
    ["exchanged answers", { answers: [...proof.answers.slice(1), answer] }],
  ])("rejects %s", (_, changed) => {
    expect(isAccepted(changed)).toBe(false);
  });

  test("accepts the other fourth root -x, which is as good", () => {
    expect(isAccepted(withFirst({ x: n - answer.x }))).toBe(true);
  });

  test.each<[string, readonly BlumModulusAnswer[]]>([
    ["no answers", []],
    ["one answer too few", proof.answers.slice(1)],
    ["one answer too many", [...proof.answers, answer]],
  ])("P10 rejects %s", (_, answers) => {
    expect(isAccepted({ answers })).toBe(false);
  });

  test.each([0, 1, parameters.iterations - 1, parameters.iterations + 1])(
    "P10 does not decode a proof of %i answers",
    (iterations) => {
      const other = { ...parameters, iterations };
      const short = proveBlumModulus(context, other, factors, seededEntropy("short"));
      const bytes = encode(blumModulusProofCodec(other), short);
      expect(decode(blumModulusProofCodec(parameters), bytes).ok).toBe(false);
    },
  );

  test("P4 the challenges of one proof are all different and prime to N", () => {
    const ys = blumModulusChallenges(context, { ...parameters, iterations: 128 }, n, proof.w);
    expect(new Set(ys).size).toBe(128);
    expect(ys.filter((y) => gcd(y, n) !== 1n)).toEqual([]);
  });
});
