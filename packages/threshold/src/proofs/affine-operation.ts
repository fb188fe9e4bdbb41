import { areUnitsKnowing, powerModN } from "../arithmetic/factored.ts";
import { absolute, isWithin, mustInvert } from "../arithmetic/integers.ts";
import { powModulo } from "../arithmetic/openssl.ts";
import type { OwnAuxiliary, PeerAuxiliary } from "../auxiliary/auxiliary-info.ts";
import { type Codec, integer, natural, pointCodec, struct } from "../codec.ts";
import { type Entropy, sampleSymmetric } from "../entropy.ts";
import { combinePublic, GENERATOR, multiplyBase, ORDER, type Point } from "../group.ts";
import {
  add,
  areCiphertexts,
  type Ciphertext,
  ciphertextCodec,
  decrypt,
  encryptMasked,
  type PaillierPublicKey,
  type PaillierSecretKey,
  sampleMask,
  sampleMaskOwn,
  scale,
} from "../paillier.ts";
import type { Parameters } from "../parameters.ts";
import { commit, isSameRingPedersen, type RingPedersen, raise } from "../ring-pedersen.ts";
import { Secret } from "../secret.ts";
import { challenge, type ProofContext } from "../transcript.ts";
import { openPaillierBalances, paillierBalances, pedersenBalances } from "./balance.ts";

/**
 * Πaff-g (Figure 25): D = C^x·enc_Nj(y; ρ) for the x of X = x·G and the y of Y = enc_Ni(y; ρ_y), with x in
 * ±2^(ℓ+ε) and y in ±2^(ℓ′+ε) (P5).
 *
 * The paper contradicts itself on the sign of y (digest 3.6). Here the statement is the equation above; a
 * caller that subtracts a mask β passes y = -β, and this file negates nothing.
 */
export interface AffineOperationStatement {
  /** N_j, the verifier's key, under which C and D are encrypted */
  readonly receiver: PaillierPublicKey;
  /** N_i, the prover's key, under which Y is encrypted */
  readonly encryption: PaillierPublicKey;
  readonly C: Ciphertext;
  readonly D: Ciphertext;
  readonly Y: Ciphertext;
  readonly X: Point;
  /** (N^, s, t) of the verifier */
  readonly pedersen: RingPedersen;
}

/** The witness of Πaff-g. */
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

/** The commitments and responses of Πaff-g. */
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

const MARGIN_BITS = 1; // for the sum of a mask and a product that is shorter by ε

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

/** y and its nonces: the part of the witness that is fixed before C and x are known. */
export type AffineOperationOffset = Omit<AffineOperationWitness, "x">;

/**
 * The randomness of Figure 25's prover, with y and its nonces, and the values that depend on them alone:
 * computed before C and x are known. Two responses with one mask reveal the witness, so the first proof takes
 * the mask (INV-2).
 */
export type AffineOperationMask = Secret<{
  /** N_j */
  readonly receiver: bigint;
  /** N_i */
  readonly encryption: bigint;
  readonly pedersen: RingPedersen;
  readonly offset: AffineOperationOffset;
  /** ρ^-1 mod N_j */
  readonly rhoInverse: bigint;
  /** ρ_y^-1 mod N_i */
  readonly rhoYInverse: bigint;
  readonly alpha: bigint;
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly delta: bigint;
  readonly m: bigint;
  readonly mu: bigint;
  readonly r: bigint;
  readonly rY: bigint;
  /** enc_Nj(β; r): A without C^α */
  readonly shift: Ciphertext;
  /** t^m: S without s^x */
  readonly blinding: bigint;
  readonly ready: Pick<Commitments, "Bx" | "By" | "E" | "F" | "T">;
}>;

/**
 * value^-1 mod n. Euclid's algorithm sees only the product with a fresh unit, which is independent of the
 * value (P16).
 */
const invertBlinded = (value: bigint, unit: bigint, n: bigint): bigint =>
  (mustInvert((value * unit) % n, n) * unit) % n;

/**
 * Figure 25, prover: precomputes all values that depend on neither C nor x.
 *
 * @param own the prover's secret key
 * @param verifier its key N_j and its (N^, s, t)
 * @param offset y in ±2^ℓ′, ρ in Z*_Nj, ρ_y in Z*_Ni
 */
export const prepareAffineOperation = (
  { ell, epsilon, ellPrime }: Parameters,
  own: PaillierSecretKey,
  { paillier, pedersen }: PeerAuxiliary,
  offset: AffineOperationOffset,
  entropy: Entropy,
): AffineOperationMask => {
  const sample = (bits: number): bigint => sampleSymmetric(entropy, 1n << BigInt(bits));
  const sampleHiding = (bits: number): bigint => sampleSymmetric(entropy, pedersen.n << BigInt(bits));
  const [alpha, beta] = [sample(ell + epsilon), sample(ellPrime + epsilon)];
  const [gamma, delta] = [sampleHiding(ell + epsilon), sampleHiding(ell + epsilon)];
  const [m, mu] = [sampleHiding(ell), sampleHiding(ell)];
  const [r, rY] = [sampleMask(paillier, entropy), sampleMaskOwn(own, entropy)];
  return new Secret({
    receiver: paillier.n,
    encryption: own.publicKey.n,
    pedersen,
    offset,
    rhoInverse: invertBlinded(offset.rho, r.nonce, paillier.n),
    rhoYInverse: invertBlinded(offset.rhoY, rY.nonce, own.publicKey.n),
    alpha,
    beta,
    gamma,
    delta,
    m,
    mu,
    r: r.nonce,
    rY: rY.nonce,
    shift: encryptMasked(paillier, beta, r),
    blinding: raise(pedersen, "t", m),
    ready: {
      Bx: multiplyBase(alpha),
      By: encryptMasked(own.publicKey, beta, rY),
      E: commit(pedersen, alpha, gamma),
      F: commit(pedersen, beta, delta),
      T: commit(pedersen, offset.y, mu),
    },
  });
};

/**
 * Figure 25, prover.
 *
 * @param x in ±2^ℓ
 * @param own the secret key of `statement.encryption`
 * @param mask made by this prover for this verifier and for the y, ρ and ρ_y of the statement
 * @throws RangeError when the mask is for another prover or verifier; Error when it was used: bugs of the caller
 */
export const proveAffineOperation = (
  context: ProofContext,
  parameters: Parameters,
  statement: AffineOperationStatement,
  x: bigint,
  own: PaillierSecretKey,
  mask: AffineOperationMask,
): AffineOperationProof => {
  const { receiver, encryption, C, pedersen } = statement;
  const { offset, rhoInverse, rhoYInverse, alpha, beta, gamma, delta, m, mu, r, rY, ...made } = mask.take();
  const isForBoth = made.receiver === receiver.n && made.encryption === encryption.n;
  if (!isForBoth || !isSameRingPedersen(made.pedersen, pedersen)) {
    throw new RangeError("a mask of Πaff-g serves one prover and one verifier");
  }
  const commitments: Commitments = {
    ...made.ready,
    A: add(receiver, scale(receiver, C, alpha), made.shift),
    S: (raise(pedersen, "s", x) * made.blinding) % pedersen.n,
  };
  const e = challengeOf(context, parameters, statement, commitments);
  const size = absolute(e);
  const [rho, rhoY] = e < 0n ? [rhoInverse, rhoYInverse] : [offset.rho, offset.rhoY];
  return {
    ...commitments,
    z1: alpha + e * x,
    z2: beta + e * offset.y,
    z3: gamma + e * m,
    z4: delta + e * mu,
    w: (r * powModulo(rho, size, receiver.n)) % receiver.n,
    wY: (rY * powerModN(own.factors, rhoY, size)) % encryption.n,
  };
};

const isWellFormed = (
  { ell, epsilon, ellPrime }: Parameters,
  { receiver, encryption, C, D, Y, X, pedersen }: AffineOperationStatement,
  { A, Bx, By, E, S, F, T, z1, z2, w, wY }: AffineOperationProof,
  own: OwnAuxiliary | undefined,
): boolean =>
  isWithin(z1, ell + epsilon) &&
  isWithin(z2, ellPrime + epsilon) &&
  ![X, Bx].some((point) => point.is0()) &&
  w < receiver.n &&
  wY < encryption.n &&
  areCiphertexts(receiver, [C, D, A, w], own?.paillier) &&
  areCiphertexts(encryption, [Y, By, wY]) &&
  areUnitsKnowing([E, S, F, T], pedersen.n, own?.pedersen.factors);

/** Whether all equations of Figure 25 hold except that of A, whose form depends on the verifier's secrets. */
const doOthersHold = (
  { encryption, Y, X, pedersen }: AffineOperationStatement,
  { Bx, By, E, S, F, T, z1, z2, z3, z4, wY }: AffineOperationProof,
  e: bigint,
  own: OwnAuxiliary | undefined,
): boolean =>
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
  paillierBalances(encryption, z2, wY, [
    [By, -1n],
    [Y, -e],
  ]);

/**
 * Figure 25, verifier. Checks z1 in ±2^(ℓ+ε) and z2 in ±2^(ℓ′+ε); C, D, A in Z*_Nj², Y and By in Z*_Ni²,
 * w in Z*_Nj, w_y in Z*_Ni, E, S, F, T in Z*_N^, no point the identity; then C^z1·enc_Nj(z2; w) = A·D^e,
 * z1·G = Bx + e·X, enc_Ni(z2; w_y) = By·Y^e, s^z1·t^z3 = E·S^e, s^z2·t^z4 = F·T^e.
 */
export const verifyAffineOperation = (
  context: ProofContext,
  parameters: Parameters,
  statement: AffineOperationStatement,
  proof: AffineOperationProof,
): boolean => {
  if (!isWellFormed(parameters, statement, proof, undefined)) return false;
  const { receiver, C, D } = statement;
  const { A, z1, z2, w } = proof;
  const e = challengeOf(context, parameters, statement, proof);
  const isBalanced = paillierBalances(receiver, z2, w, [
    [C, z1],
    [A, -1n],
    [D, -e],
  ]);
  return isBalanced && doOthersHold(statement, proof, e, undefined);
};

/**
 * Verifies the proof as the receiver, which also needs the plaintext of D, with a third of the arithmetic.
 *
 * @param own the secrets of `statement.receiver` and `statement.pedersen`
 * @param c the plaintext of C
 * @returns the plaintext of D in (-N_j/2, N_j/2]; undefined when the proof does not verify
 */
export const openAffineOperation = (
  context: ProofContext,
  parameters: Parameters,
  statement: AffineOperationStatement,
  proof: AffineOperationProof,
  own: OwnAuxiliary,
  c: bigint,
): bigint | undefined => {
  if (!isWellFormed(parameters, statement, proof, own)) return undefined;
  const { C, D } = statement;
  const { A, z1, z2, w } = proof;
  const e = challengeOf(context, parameters, statement, proof);
  const d = decrypt(own.paillier, D);
  const isBalanced = openPaillierBalances(own.paillier, z2, w, [
    { ciphertext: C, exponent: z1, plaintext: c },
    { ciphertext: A, exponent: -1n, plaintext: decrypt(own.paillier, A) },
    { ciphertext: D, exponent: -e, plaintext: d },
  ]);
  return isBalanced && doOthersHold(statement, proof, e, own) ? d : undefined;
};
