import type { PartyIndex } from "../fault.ts";
import type { PaillierElGamalMask } from "../proofs/paillier-elgamal.ts";
import type { Secret } from "../secret.ts";
import type { Committed } from "./commitment-secrets.ts";
import type { ConversionMask } from "./conversion.ts";

/**
 * More than half of a signer's arithmetic in a presigning depends on its own chance and on the moduli alone. It can be
 * made in idle time, before there is a session, and saves exactly that much once there is one. What is not there is
 * made on the spot: results never depend on it.
 *
 * Every mask serves once (INV-2), stays in memory, and is bound to the moduli it was made for.
 */
export interface PresignMasks {
  /** of round 1, for all */
  readonly commitments?: Secret<Committed>;
  readonly peers: ReadonlyMap<PartyIndex, PeerMasks>;
}

/** Masks towards one peer. A presigning uses MASKS_PER_PEER of each kind; more are not used. */
export interface PeerMasks {
  /** for the proofs of K and of G */
  readonly proofs: readonly PaillierElGamalMask[];
  /** for the products with γ_i and with x_i */
  readonly conversions: readonly ConversionMask[];
}

export const MASKS_PER_PEER = 2;
