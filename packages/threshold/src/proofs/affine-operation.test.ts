import { describe, expect, it, test } from "vitest";
import { powerModN } from "../arithmetic/factored.ts";
import { decode, encode } from "../codec.ts";
import { sampleSymmetric, sampleUnit } from "../entropy.ts";
import { GENERATOR, IDENTITY, lift, multiplyBase, ORDER, sampleScalar } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { add, decrypt, encrypt, scale } from "../paillier.ts";
import { commit } from "../ring-pedersen.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { challenge, type ProofContext } from "../transcript.ts";
import {
  type AffineOperationMask,
  type AffineOperationOffset,
  type AffineOperationProof,
  type AffineOperationStatement,
  type AffineOperationWitness,
  affineOperationProofCodec,
  openAffineOperation,
  prepareAffineOperation,
  proveAffineOperation,
  verifyAffineOperation,
} from "./affine-operation.ts";

const prover = insecureOwnAuxiliary(1).paillier;
const verifier = insecureOwnAuxiliary(2);
const encryption = prover.publicKey;
const receiver = verifier.paillier.publicKey;
const verifierKeys = { paillier: receiver, pedersen: verifier.pedersen.parameters };
const nHat = verifier.pedersen.parameters.n;
const entropy = seededEntropy("Πaff-g");
const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 4,
  prover: 1,
  verifier: 2,
  position: "test",
};
const C = encrypt(receiver, lift(sampleScalar(entropy)), sampleUnit(entropy, receiver.n));

const stated = ({ x, y, rho, rhoY }: AffineOperationWitness): AffineOperationStatement => ({
  receiver,
  encryption,
  C,
  D: add(receiver, scale(receiver, C, x), encrypt(receiver, y, rho)),
  Y: encrypt(encryption, y, rhoY),
  X: multiplyBase(x),
  pedersen: verifier.pedersen.parameters,
});
const witnessOf = (x: bigint, y: bigint): AffineOperationWitness => ({
  x,
  y,
  rho: sampleUnit(entropy, receiver.n),
  rhoY: sampleUnit(entropy, encryption.n),
});
const prepare = (
  { receiver: paillier, pedersen }: Pick<AffineOperationStatement, "receiver" | "pedersen">,
  offset: AffineOperationOffset,
  level = parameters,
): AffineOperationMask => prepareAffineOperation(level, prover, { paillier, pedersen }, offset, entropy);
const prove = (
  statement: AffineOperationStatement,
  witness: AffineOperationWitness,
  level = parameters,
): AffineOperationProof =>
  proveAffineOperation(context, level, statement, witness.x, prover, prepare(statement, witness, level));
const plaintextOf = (ciphertext: bigint): bigint => decrypt(verifier.paillier, ciphertext);
const verify = (
  statement: AffineOperationStatement,
  proof: AffineOperationProof,
  level = parameters,
): boolean => {
  const opened = openAffineOperation(context, level, statement, proof, verifier, plaintextOf(statement.C));
  const isVerified = verifyAffineOperation(context, level, statement, proof);
  expect(opened !== undefined).toBe(isVerified); // the receiver and a third party always agree
  return isVerified;
};
const isWitnessAccepted = (witness: AffineOperationWitness, level = parameters): boolean =>
  verify(stated(witness), prove(stated(witness), witness, level), level);

const witness = witnessOf(
  lift(sampleScalar(entropy)),
  sampleSymmetric(entropy, 1n << BigInt(parameters.ellPrime)),
);
const statement = stated(witness);
const proof = prove(statement, witness);
const isAccepted = (changed: Partial<AffineOperationProof>): boolean =>
  verify(statement, { ...proof, ...changed });
/** Whether a proof that is honestly made for a changed statement passes. */
const isStatementAccepted = (changed: Partial<AffineOperationStatement>): boolean => {
  const other = { ...statement, ...changed };
  return verify(other, prove(other, witness));
};

type Commitments = Pick<AffineOperationProof, "A" | "Bx" | "By" | "E" | "S" | "F" | "T">;

/**
 * A prover that changes its commitments before the challenge is drawn, and then responds honestly. Written
 * from the figure, independently of the code under test, so it also fixes the inputs of the challenge.
 */
const forge = (bend: (honest: Commitments) => Commitments): AffineOperationProof & { e: bigint } => {
  const { ell, epsilon, ellPrime } = parameters;
  const { pedersen, D, Y, X } = statement;
  const { n, s, t } = pedersen;
  const hidden = (): bigint => sampleSymmetric(entropy, n);
  const [gamma, delta, m, mu] = [hidden(), hidden(), hidden(), hidden()];
  const alpha = sampleSymmetric(entropy, 1n << BigInt(ell));
  const beta = sampleSymmetric(entropy, 1n << BigInt(ellPrime));
  const [r, rY] = [sampleUnit(entropy, receiver.n), sampleUnit(entropy, encryption.n)];
  const commitments = bend({
    A: add(receiver, scale(receiver, C, alpha), encrypt(receiver, beta, r)),
    Bx: multiplyBase(alpha),
    By: encrypt(encryption, beta, rY),
    E: commit(pedersen, alpha, gamma),
    S: commit(pedersen, witness.x, m),
    F: commit(pedersen, beta, delta),
    T: commit(pedersen, witness.y, mu),
  });
  const { A, Bx, By, E, S, F, T } = commitments;
  const stated = [ell, epsilon, ellPrime, receiver.n, encryption.n, C, D, Y, X, n, s, t];
  const e = challenge("Πaff-g", context, [...stated, A, Bx, By, E, S, F, T]).symmetric(ORDER);
  return {
    ...commitments,
    e,
    z1: alpha + e * witness.x,
    z2: beta + e * witness.y,
    z3: gamma + e * m,
    z4: delta + e * mu,
    w: (r * powerModN(verifier.paillier.factors, witness.rho, e)) % receiver.n,
    wY: (rY * powerModN(prover.factors, witness.rhoY, e)) % encryption.n,
  };
};

/** Repeats `forge` until the challenge is negative: only then would zeros on both sides balance. */
const forgeNegative = (bend: (honest: Commitments) => Commitments): AffineOperationProof => {
  for (;;) {
    const forged = forge(bend);
    if (forged.e < 0n) return forged;
  }
};

describe("a prover of Πaff-g who bends its commitments before the challenge", () => {
  it("passes when it bends nothing", () => {
    expect(
      verify(
        statement,
        forge((honest) => honest),
      ),
    ).toBe(true);
  });

  test.each([
    ["A", receiver.nSquared],
    ["By", encryption.nSquared],
    ["E", nHat],
    ["S", nHat],
    ["F", nHat],
    ["T", nHat],
  ] as const)("fails when %s is one modulus too large, though every equation holds", (field, modulus) => {
    expect(
      verify(
        statement,
        forge((honest) => ({ ...honest, [field]: honest[field] + modulus })),
      ),
    ).toBe(false);
  });

  test.each([
    ["S", "E"],
    ["T", "F"],
  ] as const)("fails when %s and %s are zero, which would balance", (first, second) => {
    expect(
      verify(
        statement,
        forgeNegative((honest) => ({ ...honest, [first]: 0n, [second]: 0n })),
      ),
    ).toBe(false);
  });

  test.each([
    ["A", (honest: Commitments) => ({ ...honest, A: (honest.A * 4n) % receiver.nSquared })],
    ["Bx", (honest: Commitments) => ({ ...honest, Bx: honest.Bx.add(GENERATOR) })],
    ["By", (honest: Commitments) => ({ ...honest, By: (honest.By * 4n) % encryption.nSquared })],
    ["E", (honest: Commitments) => ({ ...honest, E: (honest.E * 4n) % nHat })],
    ["F", (honest: Commitments) => ({ ...honest, F: (honest.F * 4n) % nHat })],
  ])("fails by one equation alone when %s is another element", (_, bend) => {
    expect(verify(statement, forge(bend))).toBe(false);
  });
});

describe("Πaff-g", () => {
  test("accepts what an honest prover makes", () => {
    expect(isAccepted({})).toBe(true);
  });

  test("accepts x in ±2^ℓ and y in ±2^ℓ′, to both ends", () => {
    const [ell, ellPrime] = [1n << BigInt(parameters.ell), 1n << BigInt(parameters.ellPrime)];
    const ends = [
      witnessOf(ell, ellPrime),
      witnessOf(-ell, -ellPrime),
      witnessOf(1n, 0n),
      witnessOf(-1n, 1n),
    ];
    expect(ends.map((end) => isWitnessAccepted(end))).toEqual([true, true, true, true]);
  });

  test("gives the receiver the plaintext of D", () => {
    const opened = openAffineOperation(context, parameters, statement, proof, verifier, plaintextOf(C));
    expect(opened).toBe(plaintextOf(statement.D));
    expect(opened).toBe(plaintextOf(C) * witness.x + witness.y);
  });

  test("survives its encoding, cut short it does not decode (P10)", () => {
    const codec = affineOperationProofCodec(parameters);
    const bytes = encode(codec, proof);
    const decoded = decode(codec, bytes);
    expect(decoded.ok && verify(statement, decoded.value)).toBe(true);
    expect(decode(codec, bytes.slice(0, -1)).ok).toBe(false);
    expect(decode(codec, new Uint8Array(0)).ok).toBe(false);
  });

  test("P5 rejects x beyond ±2^(ℓ+ε), of either sign, though every equation holds", () => {
    const x = 1n << BigInt(parameters.ell + parameters.epsilon);
    expect([x, -x].map((large) => isWitnessAccepted(witnessOf(large, witness.y)))).toEqual([false, false]);
    const wide = { ...parameters, epsilon: parameters.epsilon + 300 };
    expect(isWitnessAccepted(witnessOf(x, witness.y), wide)).toBe(true); // only the range check refused it
  });

  test("P5 rejects y beyond ±2^(ℓ′+ε), of either sign, though every equation holds", () => {
    const y = 1n << BigInt(parameters.ellPrime + parameters.epsilon);
    expect([y, -y].map((large) => isWitnessAccepted(witnessOf(witness.x, large)))).toEqual([false, false]);
    const wide = { ...parameters, ellPrime: parameters.ellPrime + 300 };
    expect(isWitnessAccepted(witnessOf(witness.x, y), wide)).toBe(true); // only the range check refused it
  });

  test("P5 rejects x plus a large multiple of q, which the curve cannot tell apart", () => {
    const moved = { ...witness, x: witness.x + (ORDER << BigInt(parameters.epsilon + 8)) };
    expect(stated(moved).X.equals(statement.X)).toBe(true);
    expect(isWitnessAccepted(moved)).toBe(false);
  });

  test("rejects a result that was made with another x, y, nonce or C", () => {
    const wrong = [
      add(receiver, scale(receiver, C, witness.x + 1n), encrypt(receiver, witness.y, witness.rho)),
      add(receiver, scale(receiver, C, witness.x), encrypt(receiver, witness.y + 1n, witness.rho)),
      add(receiver, scale(receiver, C, witness.x), encrypt(receiver, witness.y, witness.rho + 1n)),
    ];
    expect(wrong.map((D) => isStatementAccepted({ D }))).toEqual([false, false, false]);
    expect(isStatementAccepted({ C: add(receiver, C, C) })).toBe(false);
  });

  test("rejects an Y that holds another y, so the sign of y is settled by the caller", () => {
    expect(isStatementAccepted({ Y: encrypt(encryption, -witness.y, witness.rhoY) })).toBe(false);
    expect(isStatementAccepted({ Y: encrypt(encryption, witness.y, witness.rhoY + 1n) })).toBe(false);
  });

  test("rejects a point of another x, and the identity", () => {
    expect(isStatementAccepted({ X: statement.X.add(GENERATOR) })).toBe(false);
    expect(isStatementAccepted({ X: statement.X.negate() })).toBe(false);
    expect(isWitnessAccepted(witnessOf(0n, witness.y))).toBe(false);
  });

  test.each(["E", "S", "F", "T"] as const)("rejects %s changed or outside Z*_N^", (field) => {
    const bad = [proof[field] + 1n, 0n, verifier.pedersen.factors.p, proof[field] + nHat, -proof[field]];
    expect(bad.map((value) => isAccepted({ [field]: value }))).toEqual(bad.map(() => false));
  });

  test("rejects A changed or outside Z*_Nj²", () => {
    const bad = [proof.A + 1n, 0n, verifier.paillier.factors.p, proof.A + receiver.nSquared, -proof.A];
    expect(bad.map((A) => isAccepted({ A }))).toEqual(bad.map(() => false));
  });

  test("rejects By changed or outside Z*_Ni²", () => {
    const bad = [proof.By + 1n, 0n, prover.factors.p, proof.By + encryption.nSquared, -proof.By];
    expect(bad.map((By) => isAccepted({ By }))).toEqual(bad.map(() => false));
  });

  test("rejects w changed or outside Z*_Nj, though w + N_j fits the equation", () => {
    const bad = [proof.w + 1n, 0n, verifier.paillier.factors.p, proof.w + receiver.n, proof.w - receiver.n];
    expect(bad.map((w) => isAccepted({ w }))).toEqual(bad.map(() => false));
  });

  test("rejects w_y changed or outside Z*_Ni, though w_y + N_i fits the equation", () => {
    const bad = [proof.wY + 1n, 0n, prover.factors.p, proof.wY + encryption.n, proof.wY - encryption.n];
    expect(bad.map((wY) => isAccepted({ wY }))).toEqual(bad.map(() => false));
  });

  test.each(["C", "D"] as const)("rejects a statement whose %s is no ciphertext under N_j", (field) => {
    const bad = [0n, verifier.paillier.factors.p, -statement[field]];
    expect(bad.map((value) => verify({ ...statement, [field]: value }, proof))).toEqual(bad.map(() => false));
    expect(isStatementAccepted({ [field]: statement[field] + receiver.nSquared })).toBe(false); // the equations hold
  });

  test("rejects a statement whose Y is no ciphertext under N_i", () => {
    const bad = [0n, prover.factors.p, -statement.Y];
    expect(bad.map((Y) => verify({ ...statement, Y }, proof))).toEqual(bad.map(() => false));
    expect(isStatementAccepted({ Y: statement.Y + encryption.nSquared })).toBe(false); // the equations hold
  });

  test("INV-2 takes its mask: with one mask there is no second proof", () => {
    const mask = prepare(statement, witness);
    const made = proveAffineOperation(context, parameters, statement, witness.x, prover, mask);
    expect(verify(statement, made)).toBe(true);
    const elsewhere = { ...context, position: "elsewhere" };
    expect(() => proveAffineOperation(elsewhere, parameters, statement, witness.x, prover, mask)).toThrow(
      "used after it was taken",
    );
  });

  const stranger = insecureOwnAuxiliary(3);
  test.each([
    ["verifier's key", prepare({ ...statement, receiver: stranger.paillier.publicKey }, witness)],
    ["verifier's N^", prepare({ ...statement, pedersen: stranger.pedersen.parameters }, witness)],
    ["prover", prepareAffineOperation(parameters, stranger.paillier, verifierKeys, witness, entropy)],
  ])("INV-7 uses no mask that was made for another %s: the proof would not stand", (_, mask) => {
    expect(() => proveAffineOperation(context, parameters, statement, witness.x, prover, mask)).toThrow(
      RangeError,
    );
  });

  test("rejects a changed commitment Bx", () => {
    expect(isAccepted({ Bx: proof.Bx.add(GENERATOR) })).toBe(false);
    expect(isAccepted({ Bx: IDENTITY })).toBe(false);
  });

  test.each(["z1", "z2", "z3", "z4"] as const)("rejects a changed response %s", (field) => {
    expect(isAccepted({ [field]: proof[field] + 1n })).toBe(false);
    expect(isAccepted({ [field]: -proof[field] })).toBe(false);
  });

  test("rejects the proofs of two statements with their halves exchanged", () => {
    const other = witnessOf(witness.x + 1n, witness.y - 1n);
    const { A, Bx, E, S, z1, z3, w } = prove(stated(other), other);
    expect(isAccepted({ A, Bx, E, S, z1, z3, w })).toBe(false);
  });

  test.each<[string, ProofContext]>([
    ["session", { ...context, session: new Uint8Array(32).fill(2) }],
    ["epoch", { ...context, epoch: 5 }],
    ["prover", { ...context, prover: 3 }],
    ["verifier", { ...context, verifier: 3 }],
    ["position", { ...context, position: "elsewhere" }],
  ])("P11 rejects a proof made for another %s", (_, elsewhere) => {
    const c = plaintextOf(C);
    expect(openAffineOperation(elsewhere, parameters, statement, proof, verifier, c)).toBe(undefined);
    expect(verifyAffineOperation(elsewhere, parameters, statement, proof)).toBe(false);
  });

  test("P11 rejects a proof made for another verifier's N^, s and t", () => {
    const elsewhere = insecureOwnAuxiliary(3).pedersen;
    const other = { ...statement, pedersen: elsewhere.parameters };
    const own = { ...verifier, pedersen: elsewhere };
    expect(openAffineOperation(context, parameters, other, proof, own, plaintextOf(C))).toBe(undefined);
  });

  test("P3 rejects a proof made at another security level", () => {
    const other = { ...parameters, ell: parameters.ell + 1, epsilon: parameters.epsilon - 1 };
    expect(verify(statement, proof, other)).toBe(false);
  });

  test("P13 does not decode responses longer than an honest prover's", () => {
    const wide = affineOperationProofCodec({ ...parameters, epsilon: parameters.epsilon + 64 });
    const codec = affineOperationProofCodec(parameters);
    const long = 1n << BigInt(parameters.ell + parameters.epsilon + 40);
    const longer = 1n << BigInt(parameters.ellPrime + parameters.epsilon + 40);
    const changes = [{ z1: long }, { z2: longer }, { z3: long * nHat }, { z4: long * nHat }];
    expect(changes.map((change) => decode(codec, encode(wide, { ...proof, ...change })).ok)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
