import { describe, expect, it, test } from "vitest";
import { powerModN } from "../arithmetic/factored.ts";
import { decode, encode } from "../codec.ts";
import { sampleSymmetric, sampleUnit } from "../entropy.ts";
import {
  GENERATOR,
  IDENTITY,
  invertScalar,
  lift,
  multiply,
  multiplyBase,
  ORDER,
  sampleScalar,
  scalar,
} from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { encrypt } from "../paillier.ts";
import { commit } from "../ring-pedersen.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { challenge, type ProofContext } from "../transcript.ts";
import {
  type PaillierElGamalMask,
  type PaillierElGamalProof,
  type PaillierElGamalStatement,
  type PaillierElGamalWitness,
  paillierElGamalProofCodec,
  preparePaillierElGamal,
  provePaillierElGamal,
  verifyPaillierElGamal,
} from "./paillier-elgamal.ts";

const prover = insecureOwnAuxiliary(1).paillier;
const verifier = insecureOwnAuxiliary(2).pedersen;
const { n: N0 } = prover.publicKey;
const { n: nHat } = verifier.parameters;
const entropy = seededEntropy("Πenc-elg");
const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 4,
  prover: 1,
  verifier: 2,
  position: "test",
};
const a = sampleScalar(entropy);
const A = multiplyBase(a);
const stated = (witness: PaillierElGamalWitness): PaillierElGamalStatement => ({
  encryption: prover.publicKey,
  C: encrypt(prover.publicKey, witness.x, witness.rho),
  A: multiplyBase(witness.a),
  B: multiplyBase(witness.b),
  X: multiply(multiplyBase(witness.a), witness.b).add(multiplyBase(witness.x)),
  pedersen: verifier.parameters,
});
const witnessOf = (x: bigint): PaillierElGamalWitness => ({
  x,
  rho: sampleUnit(entropy, N0),
  a,
  b: sampleScalar(entropy),
});
const prepare = (pedersen = verifier.parameters, level = parameters): PaillierElGamalMask =>
  preparePaillierElGamal(level, prover, pedersen, entropy);
const prove = (statement: PaillierElGamalStatement, witness: PaillierElGamalWitness): PaillierElGamalProof =>
  provePaillierElGamal(context, parameters, statement, witness, prover, prepare(statement.pedersen));
const verify = (statement: PaillierElGamalStatement, proof: PaillierElGamalProof): boolean =>
  verifyPaillierElGamal(context, parameters, statement, proof, verifier);

const witness = witnessOf(lift(sampleScalar(entropy)));
const statement = stated(witness);
const proof = prove(statement, witness);
const isAccepted = (changed: Partial<PaillierElGamalProof>): boolean =>
  verify(statement, { ...proof, ...changed });
/** Whether a proof that is honestly made for a changed statement passes. */
const isStatementAccepted = (changed: Partial<PaillierElGamalStatement>): boolean => {
  const other = { ...statement, ...changed };
  return verify(other, prove(other, witness));
};

type Commitments = Pick<PaillierElGamalProof, "S" | "T" | "D" | "Y" | "Z">;

/**
 * A prover that changes its commitments before the challenge is drawn, and then responds honestly. Written
 * from the figure, independently of the code under test, so it also fixes the inputs of the challenge.
 */
const forge = (
  bend: (honest: Commitments) => Commitments,
  beta = 7n,
): PaillierElGamalProof & { e: bigint } => {
  const { ell, epsilon } = parameters;
  const { n, s, t } = verifier.parameters;
  const [alpha, r] = [sampleSymmetric(entropy, 1n << BigInt(ell)), sampleUnit(entropy, N0)];
  const [mu, gamma] = [sampleSymmetric(entropy, n), sampleSymmetric(entropy, n)];
  const commitments = bend({
    S: commit(verifier.parameters, witness.x, mu),
    T: commit(verifier.parameters, alpha, gamma),
    D: encrypt(prover.publicKey, alpha, r),
    Y: multiply(A, beta).add(multiplyBase(alpha)),
    Z: multiplyBase(beta),
  });
  const { S, T, D, Y, Z } = commitments;
  const { C, B, X } = statement;
  const e = challenge("Πenc-elg", context, [ell, epsilon, N0, C, A, B, X, n, s, t, S, T, D, Y, Z]).symmetric(
    ORDER,
  );
  return {
    ...commitments,
    e,
    z1: alpha + e * witness.x,
    z2: (r * powerModN(prover.factors, witness.rho, e)) % N0,
    z3: gamma + e * mu,
    w: scalar(beta + e * witness.b),
  };
};

/** Repeats `forge` until the challenge is negative: only then would zeros on both sides balance. */
const forgeNegative = (bend: (honest: Commitments) => Commitments): PaillierElGamalProof => {
  for (;;) {
    const forged = forge(bend);
    if (forged.e < 0n) return forged;
  }
};

describe("a prover of Πenc-elg who bends its commitments before the challenge", () => {
  const { nSquared } = prover.publicKey;

  it("passes when it bends nothing", () => {
    expect(
      verify(
        statement,
        forge((honest) => honest),
      ),
    ).toBe(true);
  });

  test.each([
    ["S", nHat],
    ["T", nHat],
    ["D", nSquared],
  ] as const)("fails when %s is one modulus too large, though every equation holds", (field, modulus) => {
    expect(
      verify(
        statement,
        forge((honest) => ({ ...honest, [field]: honest[field] + modulus })),
      ),
    ).toBe(false);
  });

  it("fails when S and T are zero, which would balance", () => {
    expect(
      verify(
        statement,
        forgeNegative((honest) => ({ ...honest, S: 0n, T: 0n })),
      ),
    ).toBe(false);
  });

  it("fails when S and T share a factor with N^", () => {
    const p = verifier.factors.p;
    const bent = forgeNegative(({ S, T, ...honest }) => ({
      ...honest,
      S: (S * p) % nHat,
      T: (T * p) % nHat,
    }));
    expect(verify(statement, bent)).toBe(false);
  });

  test.each([
    ["T", (honest: Commitments) => ({ ...honest, T: (honest.T * 4n) % nHat })],
    ["D", (honest: Commitments) => ({ ...honest, D: (honest.D * 4n) % nSquared })],
    ["Y", (honest: Commitments) => ({ ...honest, Y: honest.Y.add(GENERATOR) })],
    ["Z", (honest: Commitments) => ({ ...honest, Z: honest.Z.add(GENERATOR) })],
  ])("fails by one equation alone when %s is another element", (_, bend) => {
    expect(verify(statement, forge(bend))).toBe(false);
  });

  it("fails when Z is the identity, though every equation holds", () => {
    const forged = forge((honest) => honest, 0n);
    expect(forged.Z.is0()).toBe(true);
    expect(verify(statement, forged)).toBe(false);
  });
});

describe("Πenc-elg", () => {
  test("accepts what an honest prover makes", () => {
    expect(isAccepted({})).toBe(true);
  });

  test("accepts every x in ±2^ℓ, both ends and zero included", () => {
    const bound = 1n << BigInt(parameters.ell);
    const verdicts = [0n, 1n, -1n, bound, -bound].map((x) => {
      const made = witnessOf(x);
      return verify(stated(made), prove(stated(made), made));
    });
    expect(verdicts).toEqual([true, true, true, true, true]);
  });

  test("gives a third party, who lacks the verifier's factors, the same verdicts", () => {
    expect(verifyPaillierElGamal(context, parameters, statement, proof)).toBe(true);
    const wrong = { ...proof, z3: proof.z3 + 1n };
    expect(verifyPaillierElGamal(context, parameters, statement, wrong)).toBe(false);
  });

  test("survives its encoding, cut short it does not decode (P10)", () => {
    const codec = paillierElGamalProofCodec(parameters);
    const bytes = encode(codec, proof);
    const decoded = decode(codec, bytes);
    expect(decoded.ok && verify(statement, decoded.value)).toBe(true);
    expect(decode(codec, bytes.slice(0, -1)).ok).toBe(false);
    expect(decode(codec, new Uint8Array(0)).ok).toBe(false);
  });

  test("rejects a ciphertext and a commitment of different values", () => {
    expect(isStatementAccepted({ C: encrypt(prover.publicKey, witness.x + 1n, witness.rho) })).toBe(false);
    expect(isStatementAccepted({ X: statement.X.add(GENERATOR) })).toBe(false);
  });

  test("P5 rejects a ciphertext of x plus a large multiple of q, which the curve cannot tell apart", () => {
    const moved = { ...witness, x: witness.x + (ORDER << BigInt(parameters.epsilon + 8)) };
    const other = stated(moved);
    expect(other.X.equals(statement.X)).toBe(true);
    expect(verify(other, prove(other, moved))).toBe(false);
  });

  test("rejects a wrong nonce, ElGamal randomness or ElGamal key", () => {
    expect(isStatementAccepted({ C: encrypt(prover.publicKey, witness.x, witness.rho + 1n) })).toBe(false);
    expect(isStatementAccepted({ B: statement.B.add(GENERATOR) })).toBe(false);
    const other = { ...statement, A: A.add(GENERATOR) };
    expect(verify(other, prove(other, { ...witness, a: a + 1n }))).toBe(false);
  });

  test("P5 rejects x beyond ±2^(ℓ+ε), of either sign, though every equation holds", () => {
    const bits = BigInt(parameters.ell + parameters.epsilon);
    const verdicts = [1n << bits, -(1n << bits)].map((x) => {
      const oversized = witnessOf(x);
      return verify(stated(oversized), prove(stated(oversized), oversized));
    });
    expect(verdicts).toEqual([false, false]);
    const oversized = witnessOf(1n << bits);
    const wide = { ...parameters, epsilon: parameters.epsilon + 300 };
    const mask = prepare(verifier.parameters, wide);
    const made = provePaillierElGamal(context, wide, stated(oversized), oversized, prover, mask);
    expect(verifyPaillierElGamal(context, wide, stated(oversized), made, verifier)).toBe(true); // only the range check refused it
  });

  test.each(["S", "T"] as const)("rejects %s changed or outside Z*_N^", (field) => {
    const bad = [proof[field] + 1n, 0n, verifier.factors.p, proof[field] + nHat, -proof[field]];
    expect(bad.map((value) => isAccepted({ [field]: value }))).toEqual(bad.map(() => false));
  });

  test("rejects D changed or outside Z*_N0²", () => {
    const { nSquared } = prover.publicKey;
    const bad = [proof.D + 1n, 0n, prover.factors.p, proof.D + nSquared, -proof.D];
    expect(bad.map((D) => isAccepted({ D }))).toEqual(bad.map(() => false));
  });

  test("rejects z2 changed or outside Z*_N0, though z2 + N0 fits the equation", () => {
    const bad = [proof.z2 + 1n, 0n, prover.factors.p, proof.z2 + N0, proof.z2 - N0];
    expect(bad.map((z2) => isAccepted({ z2 }))).toEqual(bad.map(() => false));
  });

  test("rejects a statement whose C is no ciphertext", () => {
    const bad = [0n, prover.factors.p, -statement.C];
    expect(bad.map((C) => verify({ ...statement, C }, proof))).toEqual(bad.map(() => false));
    expect(isStatementAccepted({ C: statement.C + prover.publicKey.nSquared })).toBe(false); // the equations hold
  });

  test.each(["Y", "Z"] as const)("rejects a changed commitment %s", (field) => {
    expect(isAccepted({ [field]: proof[field].add(GENERATOR) })).toBe(false);
    expect(isAccepted({ [field]: IDENTITY })).toBe(false);
  });

  test.each<["A" | "B" | "X", PaillierElGamalWitness]>([
    ["A", { ...witness, a: 0n }],
    ["B", { ...witness, b: 0n }],
    ["X", { ...witness, b: scalar(-witness.x * invertScalar(a)) }],
  ])("rejects the identity as %s, though every equation holds", (field, made) => {
    const degenerate = stated(made);
    expect(degenerate[field].is0()).toBe(true);
    expect(verify(degenerate, prove(degenerate, made))).toBe(false);
  });

  test("INV-2 takes its mask: with one mask there is no second proof", () => {
    const mask = prepare();
    const made = provePaillierElGamal(context, parameters, statement, witness, prover, mask);
    expect(verify(statement, made)).toBe(true);
    const elsewhere = { ...context, position: "elsewhere" };
    expect(() => provePaillierElGamal(elsewhere, parameters, statement, witness, prover, mask)).toThrow(
      "used after it was taken",
    );
  });

  test.each([
    [
      "verifier",
      preparePaillierElGamal(parameters, prover, insecureOwnAuxiliary(3).pedersen.parameters, entropy),
    ],
    [
      "prover",
      preparePaillierElGamal(parameters, insecureOwnAuxiliary(3).paillier, verifier.parameters, entropy),
    ],
  ])("INV-7 uses no mask that was made for another %s: the proof would not stand", (_, mask) => {
    expect(() => provePaillierElGamal(context, parameters, statement, witness, prover, mask)).toThrow(
      RangeError,
    );
  });

  test("rejects changed responses z1, z3 and w", () => {
    expect(isAccepted({ z1: proof.z1 + 1n })).toBe(false);
    expect(isAccepted({ z1: -proof.z1 })).toBe(false);
    expect(isAccepted({ z3: proof.z3 + 1n })).toBe(false);
    expect(isAccepted({ w: scalar(proof.w + 1n) })).toBe(false);
  });

  test("rejects a proof of nothing but ones and zeros", () => {
    const nothing = { S: 1n, T: 1n, D: 1n, Y: GENERATOR, Z: GENERATOR, z1: 0n, z2: 1n, z3: 0n, w: 0n };
    expect(isAccepted(nothing)).toBe(false);
  });

  test.each<[string, ProofContext]>([
    ["session", { ...context, session: new Uint8Array(32).fill(2) }],
    ["epoch", { ...context, epoch: 5 }],
    ["prover", { ...context, prover: 3 }],
    ["verifier", { ...context, verifier: 3 }],
    ["position", { ...context, position: "elsewhere" }],
  ])("P11 rejects a proof made for another %s", (_, elsewhere) => {
    expect(verifyPaillierElGamal(elsewhere, parameters, statement, proof, verifier)).toBe(false);
  });

  test("P11 rejects a proof made for another verifier's N^, s and t", () => {
    const other = insecureOwnAuxiliary(3).pedersen;
    const elsewhere = { ...statement, pedersen: other.parameters };
    expect(verifyPaillierElGamal(context, parameters, elsewhere, proof, other)).toBe(false);
  });

  test("P3 rejects a proof made at another security level", () => {
    const other = { ...parameters, ell: parameters.ell + 1, epsilon: parameters.epsilon - 1 };
    expect(verifyPaillierElGamal(context, other, statement, proof, verifier)).toBe(false);
  });

  test("P13 does not decode responses longer than an honest prover's", () => {
    const wide = paillierElGamalProofCodec({ ...parameters, epsilon: parameters.epsilon + 64 });
    const codec = paillierElGamalProofCodec(parameters);
    const long = 1n << BigInt(parameters.ell + parameters.epsilon + 40);
    expect(decode(codec, encode(wide, { ...proof, z1: long })).ok).toBe(false);
    expect(decode(codec, encode(wide, { ...proof, z3: long * nHat })).ok).toBe(false);
  });
});
