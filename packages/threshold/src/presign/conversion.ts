import { type Entropy, sampleSymmetric } from "../entropy.ts";
import type { Point } from "../group.ts";
import { add, type Ciphertext, encryptMasked, sampleMask, sampleMaskOwn, scale } from "../paillier.ts";
import {
  type AffineOperationProof,
  proveAffineOperation,
  verifyAffineOperation,
} from "../proofs/affine-operation.ts";
import type { Conversion } from "./messages.ts";
import { contextOf, type Peer, type PresignRun } from "./run.ts";

/**
 * One multiplication turned into an addition: the peer holds k in K = enc_j(k), we hold x; it ends with
 * α = x·k - β, we with β. The sign is settled here and only here: what is encrypted, and what Πaff-g is given
 * as y, is -β (digest 3.6).
 */
export interface Converted {
  readonly conversion: Conversion;
  readonly proof: AffineOperationProof;
  /** β, in ±2^ℓ′, which hides x·k in α (P14) */
  readonly beta: bigint;
}

/**
 * Our side, for a K that passed its Πenc-elg.
 *
 * @param x lifted to (-q/2, q/2] (P18)
 * @param X x·G
 * @param position of the proof, such as "presign/2 D"
 */
export const convertWith = (
  run: PresignRun,
  peer: Peer,
  K: Ciphertext,
  x: bigint,
  X: Point,
  position: string,
  entropy: Entropy,
): Converted => {
  const { paillier: own } = run.own;
  const beta = sampleSymmetric(entropy, 1n << BigInt(run.parameters.ellPrime));
  const s = sampleMask(peer.paillier, entropy); // in Z*_Nj; r in Z*_Ni: Figure 8 confuses the two (digest 3.6)
  const r = sampleMaskOwn(own, entropy);
  const D = add(peer.paillier, scale(peer.paillier, K, x), encryptMasked(peer.paillier, -beta, s));
  const F = encryptMasked(own.publicKey, -beta, r);
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
    { x, y: -beta, rho: s.nonce, rhoY: r.nonce },
    own,
    entropy,
  );
  return { conversion: { D, F }, proof, beta };
};

/** The peer's side, checked by us: its x is that of X, applied to our own K. */
export const isConvertedWith = (
  run: PresignRun,
  peer: Peer,
  K: Ciphertext,
  X: Point,
  { D, F }: Conversion,
  proof: AffineOperationProof,
  position: string,
): boolean =>
  verifyAffineOperation(
    contextOf(run, peer.index, run.self, position),
    run.parameters,
    {
      receiver: run.own.paillier.publicKey,
      encryption: peer.paillier,
      C: K,
      D,
      Y: F,
      X,
      pedersen: run.own.pedersen.parameters,
    },
    proof,
    run.own,
  );
