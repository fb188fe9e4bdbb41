import { powerModN } from "../arithmetic/factored.ts";
import { areUnits, isWithin, power } from "../arithmetic/integers.ts";
import type { OwnAuxiliary } from "../auxiliary/auxiliary-info.ts";
import { type Codec, integer, natural, pointCodec, struct } from "../codec.ts";
import { type Entropy, sampleSymmetric } from "../entropy.ts";
import { combinePublic, GENERATOR, multiplyBase, ORDER, type Point } from "../group.ts";
import {
  add,
  areCiphertexts,
  type Ciphertext,
  ciphertextCodec,
  encryptMasked,
  type PaillierPublicKey,
  type PaillierSecretKey,
  sampleMask,
  sampleMaskOwn,
  scale,
} from "../paillier.ts";
import type { Parameters } from "../parameters.ts";
import { commit, type RingPedersen } from "../ring-pedersen.ts";
import { challenge, type ProofContext } from "../transcript.ts";
import { paillierBalances, pedersenBalances } from "./balance.ts";

/**
 * Πaff-g (Figure 25): D = C^x·enc_Nj(y; ρ) for the x of X = x·G and the y of Y = enc_Ni(y; ρ_y), with x in
 * ±2^(ℓ+ε) and y in ±2^(ℓ′+ε) (P5).
 *
 * The sign of y, on which the paper contradicts itself (digest 3.6): the statement is the sum above, and the
 * caller who subtracts a mask β passes y = -β. Nothing is negated in here.
 */
export interface AffineOperationStatement {
  /** N_j, the key of the verifier: C and D are under it */
  readonly receiver: PaillierPublicKey;
  /** N_i, the key of the prover: Y is under it */
  readonly encryption: PaillierPublicKey;
  readonly C: Ciphertext;
  readonly D: Ciphertext;
  readonly Y: Ciphertext;
  readonly X: Point;
  /** (N^, s, t) of the verifier */
  readonly pedersen: RingPedersen;
}

export interface AffineOperationWitness {
  /** in ±2^ℓ */
  readonly x: bigint;
  /** in ±2^ℓ′ */
  readonly y: bigint;
  /** in Z*_Nj */
  readonly rho: bigint;
  /** in Z*_Ni */
  readonly rhoY: bigint;
}

export interface AffineOperationProof {
  /** A = C^α·enc_Nj(β; r) */
  readonly A: Ciphertext;
  /** Bx = α·G */
  readonly Bx: Point;
  /** By = enc_Ni(β; r_y) */
  readonly By: Ciphertext;
  /** E = s^α·t^γ */
  readonly E: bigint;
  /** S = s^x·t^m */
  readonly S: bigint;
  /** F = s^β·t^δ */
  readonly F: bigint;
  /** T = s^y·t^μ */
  readonly T: bigint;
  /** z1 = α + e·x */
  readonly z1: bigint;
  /** z2 = β + e·y */
  readonly z2: bigint;
  /** z3 = γ + e·m */
  readonly z3: bigint;
  /** z4 = δ + e·μ */
  readonly z4: bigint;
  /** w = r·ρ^e mod N_j */
  readonly w: bigint;
  /** w_y = r_y·ρ_y^e mod N_i */
  readonly wY: bigint;
}

const MARGIN_BITS = 1; // the sum of a mask and of a product that is shorter by ε

export const affineOperationProofCodec = (parameters: Parameters): Codec<AffineOperationProof> => {
  const { primeBits, ell, epsilon, ellPrime } = parameters;
  const element = natural(2 * primeBits);
  const ciphertext = ciphertextCodec(2 * primeBits);
  const mask = ell + epsilon + MARGIN_BITS;
  return struct<AffineOperationProof>({
    A: ciphertext,
    Bx: pointCodec,
    By: ciphertext,
    E: element,
    S: element,
    F: element,
    T: element,
    z1: integer(mask),
    z2: integer(ellPrime + epsilon + MARGIN_BITS),
    z3: integer(mask + 2 * primeBits),
    z4: integer(mask + 2 * primeBits),
    w: element,
    wY: element,
  });
};

type Commitments = Pick<AffineOperationProof, "A" | "Bx" | "By" | "E" | "S" | "F" | "T">;

/** e in ±q */
const challengeOf = (
  context: ProofContext,
  { ell, epsilon, ellPrime }: Parameters,
  { receiver, encryption, C, D, Y, X, pedersen }: AffineOperationStatement,
  { A, Bx, By, E, S, F, T }: Commitments,
): bigint => {
  const { n, s, t } = pedersen;
  const statement = [ell, epsilon, ellPrime, receiver.n, encryption.n, C, D, Y, X, n, s, t];
  return challenge("Πaff-g", context, [...statement, A, Bx, By, E, S, F, T]).symmetric(ORDER);
};

/**
 * Figure 25, prover.
 *
 * @param own the secret key of `statement.encryption`
 */
export const proveAffineOperation = (
  context: ProofContext,
  parameters: Parameters,
  statement: AffineOperationStatement,
  { x, y, rho, rhoY }: AffineOperationWitness,
  own: PaillierSecretKey,
  entropy: Entropy,
): AffineOperationProof => {
  const { receiver, C, pedersen } = statement;
  const { ell, epsilon, ellPrime } = parameters;
  const sample = (bits: number): bigint => sampleSymmetric(entropy, 1n << BigInt(bits));
  const sampleHiding = (bits: number): bigint => sampleSymmetric(entropy, pedersen.n << BigInt(bits));
  const [alpha, beta] = [sample(ell + epsilon), sample(ellPrime + epsilon)];
  const [gamma, delta] = [sampleHiding(ell + epsilon), sampleHiding(ell + epsilon)];
  const [m, mu] = [sampleHiding(ell), sampleHiding(ell)];
  const [r, rY] = [sampleMask(receiver, entropy), sampleMaskOwn(own, entropy)];

  const commitments: Commitments = {
    A: add(receiver, scale(receiver, C, alpha), encryptMasked(receiver, beta, r)),
    Bx: multiplyBase(alpha),
    By: encryptMasked(own.publicKey, beta, rY),
    E: commit(pedersen, alpha, gamma),
    S: commit(pedersen, x, m),
    F: commit(pedersen, beta, delta),
    T: commit(pedersen, y, mu),
  };
  const e = challengeOf(context, parameters, statement, commitments);
  return {
    ...commitments,
    z1: alpha + e * x,
    z2: beta + e * y,
    z3: gamma + e * m,
    z4: delta + e * mu,
    w: (r.nonce * unitPower(rho, e, receiver.n)) % receiver.n,
    wY: (rY.nonce * powerModN(own.factors, rhoY, e)) % own.publicKey.n,
  };
};

const unitPower = (unit: bigint, exponent: bigint, modulus: bigint): bigint => {
  const raised = power(unit, exponent, modulus);
  if (raised === undefined) throw new Error("the witness ρ was sampled as a unit");
  return raised;
};

const isWellFormed = (
  { ell, epsilon, ellPrime }: Parameters,
  { receiver, encryption, C, D, Y, X, pedersen }: AffineOperationStatement,
  { A, Bx, By, E, S, F, T, z1, z2, w, wY }: AffineOperationProof,
): boolean =>
  isWithin(z1, ell + epsilon) &&
  isWithin(z2, ellPrime + epsilon) &&
  ![X, Bx].some((point) => point.is0()) &&
  w < receiver.n &&
  wY < encryption.n &&
  areCiphertexts(receiver, [C, D, A, w]) &&
  areCiphertexts(encryption, [Y, By, wY]) &&
  areUnits([E, S, F, T], pedersen.n);

/**
 * Figure 25, verifier. Checks z1 in ±2^(ℓ+ε) and z2 in ±2^(ℓ′+ε); C, D, A in Z*_Nj², Y and By in Z*_Ni²,
 * w in Z*_Nj, w_y in Z*_Ni, E, S, F, T in Z*_N^, no point the identity; then C^z1·enc_Nj(z2; w) = A·D^e,
 * z1·G = Bx + e·X, enc_Ni(z2; w_y) = By·Y^e, s^z1·t^z3 = E·S^e, s^z2·t^z4 = F·T^e.
 *
 * @param own the factors of `statement.receiver` and `statement.pedersen`, when the verifier is their maker
 */
export const verifyAffineOperation = (
  context: ProofContext,
  parameters: Parameters,
  statement: AffineOperationStatement,
  proof: AffineOperationProof,
  own?: OwnAuxiliary,
): boolean => {
  if (!isWellFormed(parameters, statement, proof)) return false;
  const { receiver, encryption, C, D, Y, X, pedersen } = statement;
  const { A, Bx, By, E, S, F, T, z1, z2, z3, z4, w, wY } = proof;
  const e = challengeOf(context, parameters, statement, proof);
  return (
    combinePublic(GENERATOR, z1, X, -e).equals(Bx) &&
    pedersenBalances(
      pedersen,
      z1,
      z3,
      [
        [E, -1n],
        [S, -e],
      ],
      own?.pedersen,
    ) &&
    pedersenBalances(
      pedersen,
      z2,
      z4,
      [
        [F, -1n],
        [T, -e],
      ],
      own?.pedersen,
    ) &&
    paillierBalances(
      receiver,
      z2,
      w,
      [
        [C, z1],
        [A, -1n],
        [D, -e],
      ],
      own?.paillier,
    ) &&
    paillierBalances(
      encryption,
      z2,
      wY,
      [
        [By, -1n],
        [Y, -e],
      ],
      undefined,
    )
  );
};
