import type { PartyIndex } from "../fault.ts";
import type { Ciphertext } from "../paillier.ts";
import type { AffineOperationMask } from "../proofs/affine-operation.ts";
import type { PaillierElGamalMask } from "../proofs/paillier-elgamal.ts";
import type { Secret } from "../secret.ts";
import type { Committed } from "./commitment-secrets.ts";

/**
 * The randomness of one conversion, and the values that depend on neither K nor x. It holds β and the mask of a proof, so
 * one conversion takes it (INV-2).
 */
export type ConversionMask = Secret<{
  readonly beta: bigint;
  /** enc_j(-β; s): D without K^x */
  readonly shift: Ciphertext;
  readonly F: Ciphertext;
  readonly proof: AffineOperationMask;
}>;

/**
 * Precomputed values for one presigning. More than half of a signer's arithmetic depends only on its own randomness and on
 * the moduli; it can be computed in idle time, before the session starts, which then saves exactly that time. A
 * missing mask is computed during the session: the result does not depend on it.
 *
 * Every mask serves once (INV-2), stays in memory, and is bound to the moduli it was made for.
 */
export interface PresignMasks {
  /** the commitments of round 1 */
  readonly commitments?: Secret<Committed>;
  readonly peers: ReadonlyMap<PartyIndex, PeerMasks>;
}

/** The masks for one peer. A presigning uses MASKS_PER_PEER of each kind; more are not used. */
export interface PeerMasks {
  /** for the proofs of K and of G */
  readonly proofs: readonly PaillierElGamalMask[];
  /** for the products with γ_i and with x_i */
  readonly conversions: readonly ConversionMask[];
}

/** The number of masks of each kind that a presigning uses for each peer. */
export const MASKS_PER_PEER = 2;
