import { describe, expect, test } from "vitest";
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
import type { ProofContext } from "../transcript.ts";
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
const stated = ({ y, lambda }: ElGamalLogWitness, base: Point): ElGamalLogStatement => ({
  L: multiplyBase(lambda),
  M: multiplyBase(y).add(multiply(X, lambda)),
  X,
  Y: multiply(base, y),
  H: base,
});
const statement = stated(witness, H);
const proof = proveElGamalLog(context, statement, witness, entropy);
const isAccepted = (changed: Partial<ElGamalLogProof>): boolean =>
  verifyElGamalLog(context, statement, { ...proof, ...changed });
const isStatementAccepted = (changed: Partial<ElGamalLogStatement>): boolean => {
  const other = { ...statement, ...changed };
  return verifyElGamalLog(context, other, proveElGamalLog(context, other, witness, entropy));
};

describe("Πelog", () => {
  test("accepts what an honest prover makes, over any base", () => {
    expect(isAccepted({})).toBe(true);
    const overG = stated(witness, GENERATOR);
    expect(verifyElGamalLog(context, overG, proveElGamalLog(context, overG, witness, entropy))).toBe(true);
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

  test.each<keyof ElGamalLogStatement>(["L", "M", "X", "Y", "H"])("rejects the identity as %s", (field) => {
    expect(isStatementAccepted({ [field]: IDENTITY })).toBe(false);
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
