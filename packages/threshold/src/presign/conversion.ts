import type { OwnAuxiliary, PeerAuxiliary } from "../auxiliary/auxiliary-info.ts";
import { type Entropy, sampleSymmetric } from "../entropy.ts";
import type { Point } from "../group.ts";
import { add, type Ciphertext, encryptMasked, sampleMask, sampleMaskOwn, scale } from "../paillier.ts";
import type { Parameters } from "../parameters.ts";
import {
  type AffineOperationProof,
  prepareAffineOperation,
  proveAffineOperation,
} from "../proofs/affine-operation.ts";
import { Secret } from "../secret.ts";
import type { ConversionMask } from "./masks.ts";
import type { Conversion } from "./messages.ts";
import { contextOf, type Peer, type PresignRun } from "./run.ts";

/**
 * Our side of one multiplicative-to-additive conversion: the peer holds k in K = enc_j(k), this party holds
 * x; the peer ends with α = x·k - β, this party with β. Only this file fixes the sign: the encrypted value,
 * which is also Πaff-g's y, is -β (digest 3.6).
 */
interface Converted {
  readonly conversion: Conversion;
  readonly proof: AffineOperationProof;
  /** β, in ±2^ℓ′, which hides x·k in α (P14) */
  readonly beta: bigint;
}

/** Precomputes the part of a conversion with this peer that depends on neither K nor x. */
export const prepareConversion = (
  parameters: Parameters,
  { paillier: own }: OwnAuxiliary,
  peer: PeerAuxiliary,
  entropy: Entropy,
): ConversionMask => {
  const beta = sampleSymmetric(entropy, 1n << BigInt(parameters.ellPrime));
  const s = sampleMask(peer.paillier, entropy); // in Z*_Nj; r in Z*_Ni: Figure 8 confuses the two (digest 3.6)
  const r = sampleMaskOwn(own, entropy);
  const offset = { y: -beta, rho: s.nonce, rhoY: r.nonce };
  return new Secret({
    beta,
    shift: encryptMasked(peer.paillier, -beta, s),
    F: encryptMasked(own.publicKey, -beta, r),
    proof: prepareAffineOperation(parameters, own, peer, offset, entropy),
  });
};

/**
 * Computes our side of a conversion, for a K whose Πenc-elg has verified.
 *
 * @param x lifted to (-q/2, q/2] (P18)
 * @param X x·G
 * @param position of the proof, such as "presign/2 D"
 * @param mask prepared for this peer
 */
export const convertWith = (
  run: PresignRun,
  peer: Peer,
  K: Ciphertext,
  x: bigint,
  X: Point,
  position: string,
  mask: ConversionMask,
): Converted => {
  const { paillier: own } = run.own;
  const { beta, shift, F, proof: proofMask } = mask.take();
  const D = add(peer.paillier, scale(peer.paillier, K, x), shift);
  const proof = proveAffineOperation(
    contextOf(run, run.self, peer.index, position),
    run.parameters,
    {
      receiver: peer.paillier,
      encryption: own.publicKey,
      C: K,
      D,
      Y: F,
      X,
      pedersen: peer.pedersen,
    },
    x,
    own,
    proofMask,
  );
  return { conversion: { D, F }, proof, beta };
};
