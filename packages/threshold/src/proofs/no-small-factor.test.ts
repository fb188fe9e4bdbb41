import { describe, expect, test } from "vitest";
import { bitLength } from "../arithmetic/integers.ts";
import { decode, encode } from "../codec.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { INSECURE_BLUM_PRIMES } from "../testing/insecure-test-primes.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import type { ProofContext } from "../transcript.ts";
import {
  type Factors,
  isNoSmallFactorProof,
  type NoSmallFactorProof,
  noSmallFactorProofBytesMax,
  noSmallFactorProofCodec,
  proveNoSmallFactor,
  verifyNoSmallFactor,
} from "./no-small-factor.ts";

const { factors } = insecureOwnAuxiliary(1).paillier;
const verifier = insecureOwnAuxiliary(2).pedersen;
const { n: nHat } = verifier.parameters;
const { phi } = verifier.factors;
const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 4,
  prover: 1,
  verifier: 2,
  position: "test",
};
const prove = (witness: Factors, level = parameters): NoSmallFactorProof =>
  proveNoSmallFactor(context, level, witness, verifier.parameters, seededEntropy("Πfac"));
const proof = prove(factors);

/** The verdict on a proof, which must be the same by the owner of N^ and by a third party. */
const verifies: typeof verifyNoSmallFactor = (at, level, n, own, made) => {
  const verdict = verifyNoSmallFactor(at, level, n, own, made);
  expect(isNoSmallFactorProof(at, level, n, own.parameters, made)).toBe(verdict);
  return verdict;
};
const isAccepted = (changed: Partial<NoSmallFactorProof>): boolean =>
  verifies(context, parameters, factors.n, verifier, { ...proof, ...changed });
const isFactorizationAccepted = (witness: Factors, level = parameters): boolean =>
  verifies(context, level, witness.p * witness.q, verifier, prove(witness, level));

const blum = (position: number): bigint => INSECURE_BLUM_PRIMES[position] ?? 0n;
const SMALL_PRIMES = [
  65521n,
  65519n,
  65497n,
  65479n,
  65449n,
  65447n,
  65437n,
  65423n,
  65419n,
  65413n,
  65407n,
  65393n,
  65381n,
  65371n,
  65357n,
  65353n,
];
const smooth = SMALL_PRIMES.reduce((product, factor) => product * factor, 1n);

describe("Πfac", () => {
  test("accepts what an honest prover makes", () => {
    expect(isAccepted({})).toBe(true);
  });

  test("accepts many honest proofs: the ranges leave room for the sum of mask and product", () => {
    const verdicts = [...Array(20).keys()].map((i) => {
      const made = proveNoSmallFactor(
        context,
        parameters,
        factors,
        verifier.parameters,
        seededEntropy(`${i}`),
      );
      return verifies(context, parameters, factors.n, verifier, made);
    });
    expect(verdicts).toEqual(new Array<boolean>(20).fill(true));
  });

  test("survives its encoding, within the announced size", () => {
    const bytes = encode(noSmallFactorProofCodec(parameters), proof);
    expect(decode(noSmallFactorProofCodec(parameters), bytes)).toEqual({ ok: true, value: proof });
    expect(bytes.length).toBeLessThanOrEqual(noSmallFactorProofBytesMax(parameters));
  });

  test("P1 rejects the modulus of CVE-2023-33241: 16 small factors beside a large one", () => {
    const q = blum(0) * blum(1);
    expect(isFactorizationAccepted({ p: smooth, q: q >> 256n })).toBe(false);
  });

  test("P1 rejects one small factor, on either side", () => {
    const small = SMALL_PRIMES[0] ?? 0n;
    const large = blum(0) * blum(1);
    expect(isFactorizationAccepted({ p: small, q: large })).toBe(false);
    expect(isFactorizationAccepted({ p: large, q: small })).toBe(false);
  });

  test("P1 rejects a factor of 300 bits", () => {
    const short = blum(0) >> 340n;
    expect(isFactorizationAccepted({ p: short, q: blum(1) * (blum(2) >> 300n) })).toBe(false);
  });

  test("rejects the trivial factorisation 1·N", () => {
    expect(isFactorizationAccepted({ p: 1n, q: factors.n })).toBe(false);
  });

  test("rejects N of no more than 4ℓ bits, balanced or not", () => {
    const witness = { p: blum(0) >> 130n, q: blum(1) >> 130n };
    expect(bitLength(witness.p * witness.q)).toBeLessThanOrEqual(4 * parameters.ell);
    expect(isFactorizationAccepted(witness)).toBe(false);
    expect(isFactorizationAccepted(witness, { ...parameters, ell: 250 })).toBe(true); // only this check refused it
  });

  test("rejects factors of another modulus", () => {
    expect(verifies(context, parameters, factors.n, verifier, prove({ p: blum(4), q: blum(5) }))).toBe(false);
  });

  test("P11 rejects a proof made against another verifier's N^, s and t", () => {
    const other = insecureOwnAuxiliary(3).pedersen;
    expect(verifies(context, parameters, factors.n, other, proof)).toBe(false);
  });

  test.each<[string, ProofContext]>([
    ["session", { ...context, session: new Uint8Array(32).fill(2) }],
    ["epoch", { ...context, epoch: 5 }],
    ["prover", { ...context, prover: 3 }],
    ["verifier", { ...context, verifier: 3 }],
    ["position", { ...context, position: "elsewhere" }],
  ])("P11 rejects a proof made for another %s", (_, elsewhere) => {
    expect(verifies(elsewhere, parameters, factors.n, verifier, proof)).toBe(false);
  });

  test.each<keyof NoSmallFactorProof>([
    "commitmentP",
    "commitmentQ",
    "a",
    "b",
    "t",
    "z1",
    "z2",
    "w1",
    "w2",
    "v",
  ])("rejects a changed %s", (field) => {
    expect(isAccepted({ [field]: proof[field] + 1n })).toBe(false);
    expect(isAccepted({ [field]: -proof[field] })).toBe(false);
  });

  const elements = ["commitmentP", "commitmentQ", "a", "b", "t"] as const;

  test.each(elements)("rejects %s outside Z*_N^", (field) => {
    expect(isAccepted({ [field]: 0n })).toBe(false);
    expect(isAccepted({ [field]: verifier.factors.p })).toBe(false);
    expect(isAccepted({ [field]: proof[field] + nHat })).toBe(false);
    expect(isAccepted({ [field]: proof[field] - nHat })).toBe(false);
  });

  test("rejects a proof of zeros", () => {
    const zeros = { commitmentP: 0n, commitmentQ: 0n, a: 0n, b: 0n, t: 0n };
    expect(isAccepted({ ...zeros, z1: 0n, z2: 0n, w1: 0n, w2: 0n, v: 0n })).toBe(false);
  });

  test("rejects z1 and z2 out of range even where the equations hold: moved by φ(N^), as ω1 may be", () => {
    expect(isAccepted({ w1: proof.w1 + phi })).toBe(true);
    expect(isAccepted({ z1: proof.z1 + phi })).toBe(false);
    expect(isAccepted({ z2: proof.z2 - phi })).toBe(false);
  });

  test("P13 does not decode responses longer than an honest prover's", () => {
    const wide = { ...parameters, epsilon: parameters.epsilon + 64 };
    const bytes = encode(noSmallFactorProofCodec(wide), { ...proof, z1: 1n << 1270n });
    expect(decode(noSmallFactorProofCodec(parameters), bytes).ok).toBe(false);
  });

  test("P10 does not decode a proof that lacks its end", () => {
    const bytes = encode(noSmallFactorProofCodec(parameters), proof);
    expect(decode(noSmallFactorProofCodec(parameters), bytes.slice(0, -1)).ok).toBe(false);
    expect(decode(noSmallFactorProofCodec(parameters), new Uint8Array(0)).ok).toBe(false);
  });
});
