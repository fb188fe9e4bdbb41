import { areUnitsKnowing, powerModN } from "../arithmetic/factored.ts";
import { isWithin } from "../arithmetic/integers.ts";
import { type Codec, integer, natural, pointCodec, scalarCodec, struct } from "../codec.ts";
import { type Entropy, sampleSymmetric } from "../entropy.ts";
import {
  combinePublic,
  GENERATOR,
  multiplyBase,
  multiplyPublic,
  ORDER,
  type Point,
  sampleScalar,
  scalar,
} from "../group.ts";
import {
  areCiphertexts,
  type Ciphertext,
  ciphertextCodec,
  encryptMasked,
  type PaillierPublicKey,
  type PaillierSecretKey,
  sampleMaskOwn,
} from "../paillier.ts";
import type { Parameters } from "../parameters.ts";
import {
  commit,
  isSameRingPedersen,
  type OwnRingPedersen,
  type RingPedersen,
  raise,
} from "../ring-pedersen.ts";
import { Secret } from "../secret.ts";
import { challenge, type ProofContext } from "../transcript.ts";
import { paillierBalances, pedersenBalances } from "./balance.ts";

/**
 * Πenc-elg (Figure 24): the Paillier ciphertext C under the prover's key and the ElGamal commitment (B, X) under
 * the key A hold the same x, and x is in ±2^(ℓ+ε) (P5).
 */
export interface PaillierElGamalStatement {
  /** N0, the prover's key */
  readonly encryption: PaillierPublicKey;
  /** C = enc_N0(x; ρ) */
  readonly C: Ciphertext;
  /** the ElGamal key */
  readonly A: Point;
  /** B = b·G */
  readonly B: Point;
  /** X = b·A + x·G */
  readonly X: Point;
  /** (N^, s, t) of the verifier */
  readonly pedersen: RingPedersen;
}

/** The witness of Πenc-elg. */
export interface PaillierElGamalWitness {
  /** in ±2^ℓ */
  readonly x: bigint;
  /** in Z*_N0 */
  readonly rho: bigint;
  /** A = a·G */
  readonly a: bigint;
  readonly b: bigint;
}

/** The commitments and responses of Πenc-elg. */
export interface PaillierElGamalProof {
  /** S = s^x·t^μ */
  readonly S: bigint;
  /** T = s^α·t^γ */
  readonly T: bigint;
  /** D = enc_N0(α; r) */
  readonly D: Ciphertext;
  /** Y = β·A + α·G */
  readonly Y: Point;
  /** Z = β·G */
  readonly Z: Point;
  /** z1 = α + e·x */
  readonly z1: bigint;
  /** z2 = r·ρ^e mod N0 */
  readonly z2: bigint;
  /** z3 = γ + e·μ */
  readonly z3: bigint;
  /** w = β + e·b mod q */
  readonly w: bigint;
}

const MARGIN_BITS = 1; // for the sum of a mask and a product that is shorter by ε

export const paillierElGamalProofCodec = ({
  primeBits,
  ell,
  epsilon,
}: Parameters): Codec<PaillierElGamalProof> => {
  const element = natural(2 * primeBits);
  const mask = ell + epsilon + MARGIN_BITS;
  return struct<PaillierElGamalProof>({
    S: element,
    T: element,
    D: ciphertextCodec(2 * primeBits),
    Y: pointCodec,
    Z: pointCodec,
    z1: integer(mask),
    z2: element,
    z3: integer(mask + 2 * primeBits),
    w: scalarCodec,
  });
};

type Commitments = Pick<PaillierElGamalProof, "S" | "T" | "D" | "Y" | "Z">;

/** e in ±q */
const challengeOf = (
  context: ProofContext,
  { ell, epsilon }: Parameters,
  { encryption, C, A, B, X, pedersen }: PaillierElGamalStatement,
  { S, T, D, Y, Z }: Commitments,
): bigint => {
  const { n, s, t } = pedersen;
  const fields = [ell, epsilon, encryption.n, C, A, B, X, n, s, t, S, T, D, Y, Z];
  return challenge("Πenc-elg", context, fields).symmetric(ORDER);
};

/**
 * The randomness of Figure 24's prover, and the values that depend on it alone: computed before the statement
 * is known. Two responses with one mask reveal the witness, so the first proof takes the mask (INV-2).
 */
export type PaillierElGamalMask = Secret<{
  /** N0 */
  readonly n: bigint;
  readonly pedersen: RingPedersen;
  readonly alpha: bigint;
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly mu: bigint;
  readonly r: bigint;
  /** t^μ */
  readonly blinding: bigint;
  readonly T: bigint;
  readonly D: Ciphertext;
  readonly Z: Point;
}>;

/**
 * Figure 24, prover: precomputes all values that do not depend on the statement.
 *
 * @param own the prover's secret key
 * @param pedersen (N^, s, t) of the verifier
 */
export const preparePaillierElGamal = (
  { ell, epsilon }: Parameters,
  own: PaillierSecretKey,
  pedersen: RingPedersen,
  entropy: Entropy,
): PaillierElGamalMask => {
  const alpha = sampleSymmetric(entropy, 1n << BigInt(ell + epsilon));
  const mu = sampleSymmetric(entropy, pedersen.n << BigInt(ell));
  const gamma = sampleSymmetric(entropy, pedersen.n << BigInt(ell + epsilon));
  const beta = sampleScalar(entropy);
  const r = sampleMaskOwn(own, entropy);
  return new Secret({
    n: own.publicKey.n,
    pedersen,
    alpha,
    beta,
    gamma,
    mu,
    r: r.nonce,
    blinding: raise(pedersen, "t", mu),
    T: commit(pedersen, alpha, gamma),
    D: encryptMasked(own.publicKey, alpha, r),
    Z: multiplyBase(beta),
  });
};

/**
 * Figure 24, for a prover that made the ElGamal key and knows its a, so that Y is one power of the generator.
 *
 * @param own the secret key of `statement.encryption`
 * @param mask made for this prover and this verifier
 * @throws RangeError when the mask is for another prover or verifier; Error when it was used: bugs of the
 * caller
 */
export const provePaillierElGamal = (
  context: ProofContext,
  parameters: Parameters,
  statement: PaillierElGamalStatement,
  { x, rho, a, b }: PaillierElGamalWitness,
  own: PaillierSecretKey,
  mask: PaillierElGamalMask,
): PaillierElGamalProof => {
  const { encryption, pedersen } = statement;
  const { n, alpha, beta, gamma, mu, r, blinding, T, D, Z, ...made } = mask.take();
  if (n !== encryption.n || !isSameRingPedersen(made.pedersen, pedersen)) {
    throw new RangeError("a mask of Πenc-elg serves one prover and one verifier");
  }
  const S = (raise(pedersen, "s", x) * blinding) % pedersen.n;
  const commitments: Commitments = { S, T, D, Y: multiplyBase(beta * a + alpha), Z };
  const e = challengeOf(context, parameters, statement, commitments);
  return {
    ...commitments,
    z1: alpha + e * x,
    z2: (r * powerModN(own.factors, rho, e)) % n,
    z3: gamma + e * mu,
    w: scalar(beta + e * b),
  };
};

const isWellFormed = (
  { ell, epsilon }: Parameters,
  { encryption, C, A, B, X, pedersen }: PaillierElGamalStatement,
  { S, T, D, Y, Z, z1, z2 }: PaillierElGamalProof,
  own: OwnRingPedersen | undefined,
): boolean =>
  isWithin(z1, ell + epsilon) &&
  ![A, B, X, Y, Z].some((point) => point.is0()) &&
  z2 < encryption.n &&
  areCiphertexts(encryption, [C, D, z2]) &&
  areUnitsKnowing([S, T], pedersen.n, own?.factors);

/**
 * Figure 24, verifier. Checks z1 in ±2^(ℓ+ε); C and D in Z*_N0², z2 in Z*_N0, S and T in Z*_N^, no point the
 * identity; then enc(z1; z2) = D·C^e, w·A + z1·G = Y + e·X, w·G = Z + e·B, s^z1·t^z3 = T·S^e.
 *
 * @param own the factors of `statement.pedersen`, when the verifier owns it; a third party has none
 */
export const verifyPaillierElGamal = (
  context: ProofContext,
  parameters: Parameters,
  statement: PaillierElGamalStatement,
  proof: PaillierElGamalProof,
  own?: OwnRingPedersen,
): boolean => {
  if (!isWellFormed(parameters, statement, proof, own)) return false;
  const { encryption, C, A, B, X, pedersen } = statement;
  const { S, T, D, Y, Z, z1, z2, z3, w } = proof;
  const e = challengeOf(context, parameters, statement, proof);
  return (
    combinePublic(GENERATOR, w, B, -e).equals(Z) &&
    multiplyPublic(GENERATOR, z1)
      .add(combinePublic(A, w, X, -e))
      .equals(Y) &&
    pedersenBalances(
      pedersen,
      z1,
      z3,
      [
        [T, -1n],
        [S, -e],
      ],
      own,
    ) &&
    paillierBalances(encryption, z1, z2, [
      [D, -1n],
      [C, -e],
    ])
  );
};
