import { describe, expect, it, test } from "vitest";
import { decode, encode } from "../codec.ts";
import {
  GENERATOR,
  IDENTITY,
  multiply,
  multiplyBase,
  type Point,
  samplePoint,
  sampleScalar,
  scalar,
} from "../group.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { challenge, type ProofContext } from "../transcript.ts";
import {
  type ElGamalLogProof,
  type ElGamalLogStatement,
  type ElGamalLogWitness,
  elGamalLogProofCodec,
  proveElGamalLog,
  verifyElGamalLog,
} from "./elgamal-log.ts";

const entropy = seededEntropy("Πelog");
const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 4,
  prover: 1,
  verifier: "all",
  position: "test",
};
const X = samplePoint(entropy);
const H = samplePoint(entropy);
const witness: ElGamalLogWitness = { y: sampleScalar(entropy), lambda: sampleScalar(entropy) };
const stated = ({ y, lambda }: ElGamalLogWitness, base: Point, key = X): ElGamalLogStatement => ({
  L: multiplyBase(lambda),
  M: multiplyBase(y).add(multiply(key, lambda)),
  X: key,
  Y: multiply(base, y),
  H: base,
});
const statement = stated(witness, H);
const proof = proveElGamalLog(context, statement, witness, entropy);
type Commitments = Pick<ElGamalLogProof, "A" | "N" | "B">;
const isAccepted = (changed: Partial<ElGamalLogProof>): boolean =>
  verifyElGamalLog(context, statement, { ...proof, ...changed });
const isStatementAccepted = (changed: Partial<ElGamalLogStatement>): boolean => {
  const other = { ...statement, ...changed };
  return verifyElGamalLog(context, other, proveElGamalLog(context, other, witness, entropy));
};

/**
 * A prover that changes its commitments before the challenge is drawn, and then responds honestly. Written
 * from the figure, independently of the code under test, so it also fixes the inputs of the challenge.
 */
const forge = (bend: (honest: Commitments) => Commitments): ElGamalLogProof => {
  const [alpha, m] = [sampleScalar(entropy), sampleScalar(entropy)];
  const commitments = bend({
    A: multiplyBase(alpha),
    N: multiplyBase(m).add(multiply(X, alpha)),
    B: multiply(H, m),
  });
  const { A, N, B } = commitments;
  const { L, M, Y } = statement;
  const e = challenge("Πelog", context, [GENERATOR, L, M, X, Y, H, A, N, B]).scalar();
  return { ...commitments, z: scalar(alpha + e * witness.lambda), u: scalar(m + e * witness.y) };
};

describe("a prover of Πelog who bends its commitments before the challenge", () => {
  it("passes when it bends nothing", () => {
    expect(
      verifyElGamalLog(
        context,
        statement,
        forge((honest) => honest),
      ),
    ).toBe(true);
  });

  test.each(["A", "N", "B"] as const)("fails by one equation alone when %s is another point", (field) => {
    const bent = forge((honest) => ({ ...honest, [field]: honest[field].add(GENERATOR) }));
    expect(verifyElGamalLog(context, statement, bent)).toBe(false);
  });
});

describe("Πelog", () => {
  test("accepts what an honest prover makes, over any base", () => {
    expect(isAccepted({})).toBe(true);
    const overG = stated(witness, GENERATOR);
    expect(verifyElGamalLog(context, overG, proveElGamalLog(context, overG, witness, entropy))).toBe(true);
  });

  test("accepts what a prover makes by the logarithm of its ElGamal key, and no proof by a wrong one", () => {
    const x = sampleScalar(entropy);
    const ofKnown = stated(witness, H, multiplyBase(x));
    const verdicts = [x, x + 1n].map((known) =>
      verifyElGamalLog(
        context,
        ofKnown,
        proveElGamalLog(context, ofKnown, { ...witness, x: known }, entropy),
      ),
    );
    expect(verdicts).toEqual([true, false]);
  });

  test("survives its encoding", () => {
    const bytes = encode(elGamalLogProofCodec, proof);
    const decoded = decode(elGamalLogProofCodec, bytes);
    expect(decoded.ok && verifyElGamalLog(context, statement, decoded.value)).toBe(true);
    expect(decode(elGamalLogProofCodec, bytes.slice(0, -1)).ok).toBe(false);
  });

  test.each<keyof ElGamalLogStatement>(["L", "M", "X", "Y", "H"])(
    "rejects a statement whose %s does not fit the witness",
    (field) => {
      expect(isStatementAccepted({ [field]: statement[field].add(GENERATOR) })).toBe(false);
    },
  );

  const secretKey = sampleScalar(entropy);
  test.each<[keyof ElGamalLogStatement, ElGamalLogWitness, Point, Point]>([
    ["L", { ...witness, lambda: 0n }, X, H],
    ["M", { ...witness, y: scalar(-witness.lambda * secretKey) }, multiplyBase(secretKey), H],
    ["X", witness, IDENTITY, H],
    ["Y", { ...witness, y: 0n }, X, H],
    ["H", witness, X, IDENTITY],
  ])("rejects the identity as %s, though every equation holds", (field, made, key, base) => {
    const degenerate = stated(made, base, key);
    expect(degenerate[field].is0()).toBe(true);
    expect(verifyElGamalLog(context, degenerate, proveElGamalLog(context, degenerate, made, entropy))).toBe(
      false,
    );
  });

  test("rejects the statement of zeros, which the identity would make true", () => {
    const nothing = stated({ y: 0n, lambda: 0n }, H);
    const made = proveElGamalLog(context, nothing, { y: 0n, lambda: 0n }, entropy);
    expect(verifyElGamalLog(context, nothing, made)).toBe(false);
  });

  test.each(["A", "N", "B"] as const)("rejects a changed commitment %s", (field) => {
    expect(isAccepted({ [field]: proof[field].add(GENERATOR) })).toBe(false);
    expect(isAccepted({ [field]: IDENTITY })).toBe(false);
  });

  test.each(["z", "u"] as const)("rejects a changed response %s", (field) => {
    expect(isAccepted({ [field]: scalar(proof[field] + 1n) })).toBe(false);
    expect(isAccepted({ [field]: 0n })).toBe(false);
  });

  test.each<[string, ProofContext]>([
    ["session", { ...context, session: new Uint8Array(32).fill(2) }],
    ["epoch", { ...context, epoch: 5 }],
    ["prover", { ...context, prover: 3 }],
    ["verifier", { ...context, verifier: 3 }],
    ["position", { ...context, position: "elsewhere" }],
  ])("P11 rejects a proof made for another %s", (_, elsewhere) => {
    expect(verifyElGamalLog(elsewhere, statement, proof)).toBe(false);
  });
});
