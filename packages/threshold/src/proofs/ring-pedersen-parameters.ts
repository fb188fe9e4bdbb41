import { powerModN } from "../arithmetic/factored.ts";
import { publicPowers } from "../arithmetic/fixed-base.ts";
import { areUnits } from "../arithmetic/integers.ts";
import { type Codec, list, natural, naturalBytesMax, struct } from "../codec.ts";
import { type Entropy, sampleBelow } from "../entropy.ts";
import type { Parameters } from "../parameters.ts";
import type { OwnRingPedersen, RingPedersen } from "../ring-pedersen.ts";
import { challenge, type ProofContext } from "../transcript.ts";

/** Πprm (Figure 13): the prover knows λ with s = t^λ mod N^, so that commitments s^x·t^r hide x. */
export interface RingPedersenProof {
  /** A_i = t^(a_i) mod N^ */
  readonly commitments: readonly bigint[];
  /** z_i = a_i + e_i·λ mod φ(N^) */
  readonly responses: readonly bigint[];
}

export const ringPedersenProofCodec = (parameters: Parameters): Codec<RingPedersenProof> => {
  const elements = list(natural(2 * parameters.primeBits), parameters.iterations);
  return struct<RingPedersenProof>({ commitments: elements, responses: elements });
};

/** The longest encoding, in bytes. */
export const ringPedersenProofBytesMax = ({ primeBits, iterations }: Parameters): number =>
  iterations * 2 * naturalBytesMax(2 * primeBits);

const challengeBits = (
  context: ProofContext,
  parameters: Parameters,
  { n, s, t }: RingPedersen,
  commitments: readonly bigint[],
): readonly boolean[] =>
  challenge("Πprm", context, [parameters.iterations, n, s, t, commitments]).bits(parameters.iterations);

/** Figure 13, prover. Each of the m commitments costs one short power for each prime factor. */
export const proveRingPedersen = (
  context: ProofContext,
  parameters: Parameters,
  own: OwnRingPedersen,
  entropy: Entropy,
): RingPedersenProof => {
  const { factors, lambda } = own;
  const nonces = Array.from({ length: parameters.iterations }, () => sampleBelow(entropy, factors.phi));
  const commitments = nonces.map((nonce) => powerModN(factors, own.parameters.t, nonce));
  const bits = challengeBits(context, parameters, own.parameters, commitments);
  const responses = nonces.map((nonce, i) => (bits[i] === true ? (nonce + lambda) % factors.phi : nonce));
  return { commitments, responses };
};

/**
 * Figure 13, verifier: s, t, A_i in Z*_N^, z_i in [0, N^), exactly m of each, and t^(z_i) = A_i·s^(e_i) mod N^.
 * The caller has checked the length and the oddness of N^.
 */
export const verifyRingPedersen = (
  context: ProofContext,
  parameters: Parameters,
  statement: RingPedersen,
  proof: RingPedersenProof,
): boolean => {
  const { n, s, t } = statement;
  const { commitments, responses } = proof;
  const { iterations } = parameters;
  if (commitments.length !== iterations || responses.length !== iterations) return false;
  if (!areUnits([s, t, ...commitments], n)) return false;
  if (!responses.every((response) => response >= 0n && response < n)) return false;
  const bits = challengeBits(context, parameters, statement, commitments);
  const powers = publicPowers(t, responses, n);
  return commitments.every(
    (commitment, i) => powers[i] === (bits[i] === true ? (commitment * s) % n : commitment),
  );
};
