import type { AuxiliaryInfo, PeerAuxiliary } from "../auxiliary/auxiliary-info.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { type PaillierElGamalMask, preparePaillierElGamal } from "../proofs/paillier-elgamal.ts";
import type { Secret } from "../secret.ts";
import { type Committed, prepareCommitments } from "./commitment-secrets.ts";
import { type ConversionMask, prepareConversion } from "./conversion.ts";

/**
 * Half of a signer's arithmetic in a presigning depends on its own chance and on the moduli alone. It can be made
 * in idle time, before there is a session, and saves exactly that much once there is one. What is not there is made
 * on the spot: results never depend on it.
 *
 * Every mask serves once (INV-2), stays in memory, and is bound to the moduli it was made for.
 */
export interface PresignMasks {
  /** the commitments of round 1 */
  readonly commitments?: Secret<Committed>;
  readonly peers: ReadonlyMap<PartyIndex, PeerMasks>;
}

/** What one presigning uses towards one peer; more is not used, less is made on the spot. */
export interface PeerMasks {
  /** two: for the proofs of K and of G */
  readonly commitmentProofs: readonly PaillierElGamalMask[];
  /** two: for the products with γ_i and with x_i */
  readonly conversions: readonly ConversionMask[];
}

export const NO_PEER_MASKS: PeerMasks = { commitmentProofs: [], conversions: [] };

/** How many masks of each kind one presigning uses towards a peer. */
export const MASKS_PER_PEER = 2;

const peerOf = ({ peers }: AuxiliaryInfo, index: PartyIndex): PeerAuxiliary => {
  const peer = peers.get(index);
  if (peer === undefined) throw new RangeError(`there is no auxiliary info of party ${index}`);
  return peer;
};

/** k, γ and the commitments to them. */
export const prepareCommitmentsOf = (auxiliary: AuxiliaryInfo, entropy: Entropy): Secret<Committed> =>
  prepareCommitments(auxiliary.own.reveal(), entropy);

/** For one Πenc-elg towards the peer. */
export const prepareCommitmentProof = (
  auxiliary: AuxiliaryInfo,
  peer: PartyIndex,
  entropy: Entropy,
): PaillierElGamalMask => {
  const { paillier } = auxiliary.own.reveal();
  return preparePaillierElGamal(auxiliary.parameters, paillier, peerOf(auxiliary, peer).pedersen, entropy);
};

/** For one conversion with the peer: the costliest, two powers modulo its N². */
export const prepareConversionWith = (
  auxiliary: AuxiliaryInfo,
  peer: PartyIndex,
  entropy: Entropy,
): ConversionMask =>
  prepareConversion(auxiliary.parameters, auxiliary.own.reveal(), peerOf(auxiliary, peer), entropy);
