import { equalBytes } from "@noble/curves/utils.js";
import { type Codec, decode, fixedBytes, list, pointCodecOf, struct } from "../codec.ts";
import { type Curve, type GroupPoint, SCALAR_BYTES } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { Refusal } from "../keygen/run.ts";
import type { PolynomialCommitment } from "../sharing/feldman.ts";
import { hashFields } from "../transcript.ts";
import { keyDigest } from "./key-digest.ts";
import { accuse, newEpoch, type RedistributionRun } from "./run.ts";

/** The length of V_i, and of a confirmation. */
export const HASH_BYTES = 32;
/** The length of u_i. */
export const MASK_BYTES = 32;

/** The empty message of a party that has nothing to send in a round: the session layer waits for a message of everybody. */
export const NOTHING: Uint8Array = new Uint8Array(0);

/** The values that a dealer commits to in round 1 and opens in round 2. */
export interface Opening<P> {
  /** s_k·G of its polynomial for k ≥ 1, exactly t-1 points, none the identity (P10); that for k = 0 is known */
  readonly coefficients: PolynomialCommitment<P>;
  /** u_i: hides the other field until the opening */
  readonly mask: Uint8Array;
}

/** The fault of a message that must be empty and is not; undefined when it is empty. */
export const checkNothing = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  round: number,
  from: PartyIndex,
  payload: Uint8Array,
): Refusal | undefined => {
  const nothing = decode(fixedBytes(NOTHING.length), payload);
  return nothing.ok ? undefined : accuse(run, from, `${round} decoding: ${nothing.reason}`);
};

/**
 * The broadcast of round 2, by dealers.
 *
 * @param threshold t of the new shares
 */
export const openingCodec = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  threshold: number,
): Codec<Opening<P>> =>
  struct<Opening<P>>({
    coefficients: list(pointCodecOf(curve), threshold - 1),
    mask: fixedBytes(MASK_BYTES),
  });

/** The exact length of an encoded opening; a dealt share, the other message of round 2, is a scalar and not longer. */
export const openingBytes = <P extends GroupPoint<P>>({ pointBytes }: Curve<P>, threshold: number): number =>
  (threshold - 1) * pointBytes + MASK_BYTES;

/** The exact length of a ψ_j, in round 3. */
export const proofBytes = <P extends GroupPoint<P>>({ pointBytes }: Curve<P>): number =>
  pointBytes + SCALAR_BYTES;

/** V_i = H(sid, old key info, dealers, receivers, new t and epoch, i, S_i, u_i) */
export const commitmentTo = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  dealer: PartyIndex,
  { coefficients, mask }: Opening<P>,
): Uint8Array => {
  const { protocol, session, old, weights, receivers, threshold } = run;
  const terms = [keyDigest(old), [...weights.keys()], receivers, threshold, newEpoch(run)];
  return hashFields(`${protocol} V`, [session, terms, dealer, coefficients, mask]);
};

export const opensTo = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  dealer: PartyIndex,
  opening: Opening<P>,
  commitment: Uint8Array,
): boolean => equalBytes(commitmentTo(run, dealer, opening), commitment);
