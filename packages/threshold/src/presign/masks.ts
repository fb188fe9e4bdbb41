import type { PartyIndex } from "../fault.ts";
import type { Ciphertext } from "../paillier.ts";
import type { AffineOperationMask } from "../proofs/affine-operation.ts";
import type { PaillierElGamalMask } from "../proofs/paillier-elgamal.ts";
import type { Secret } from "../secret.ts";
import type { Committed } from "./commitment-secrets.ts";

/**
 * The randomness of one conversion, and the values that depend on neither K nor x. It holds β and the mask of
 * a proof, so only one conversion may take it (INV-2).
 */
export type ConversionMask = Secret<{
  readonly beta: bigint;
  /** enc_j(-β; s): D without K^x */
  readonly shift: Ciphertext;
  readonly F: Ciphertext;
  readonly proof: AffineOperationMask;
}>;

/**
 * Precomputed values for one presigning. More than half of a signer's arithmetic depends only on its own
 * randomness and on the moduli; computed in idle time before the session starts, it shortens the session by
 * that time. A missing mask is computed during the session, with the same effect.
 *
 * Every mask is used once (INV-2), stays in memory, and is bound to the moduli that it was made for.
 */
export interface PresignMasks {
  /** the commitments of round 1 */
  readonly commitments?: Secret<Committed>;
  readonly peers: ReadonlyMap<PartyIndex, PeerMasks>;
}

/** The masks for one peer. A presigning uses MASKS_PER_PEER of each kind, and ignores further ones. */
export interface PeerMasks {
  /** for the proofs of K and of G */
  readonly proofs: readonly PaillierElGamalMask[];
  /** for the products with γ_i and with x_i */
  readonly conversions: readonly ConversionMask[];
}

/** The number of masks of each kind that a presigning uses for each peer. */
export const MASKS_PER_PEER = 2;
