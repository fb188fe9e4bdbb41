import { type Codec, decode, fixedBytes, list, pointCodecOf, struct } from "../codec.ts";
import { type Curve, type GroupPoint, SCALAR_BYTES } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { type OpeningRules, RANDOMIZER_BYTES } from "../opening.ts";
import type { FaultStep } from "../session/steps.ts";
import type { PolynomialCommitment } from "../sharing/feldman.ts";
import { hashFields } from "../transcript.ts";
import { keyDigest } from "./key-digest.ts";
import { accuseIn, newEpoch, type RedistributionRun } from "./run.ts";

/**
 * The empty message of a party that has nothing to send in a round: the session layer waits for a message of
 * every party.
 */
export const NOTHING: Uint8Array = new Uint8Array(0);

/** The values that a dealer commits to in round 1 and opens in round 2. */
export interface DealingOpening<P> {
  /** s_k·G of its polynomial for k ≥ 1, exactly t-1 points, none the identity (P10); all parties know s_0·G */
  readonly coefficients: PolynomialCommitment<P>;
  /** u_i: hides the other field until the opening */
  readonly mask: Uint8Array;
}

/** The fault of a message that should be empty and is not; undefined when it is empty. */
export const checkNothing = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  round: number,
  from: PartyIndex,
  payload: Uint8Array,
): FaultStep | undefined => {
  const nothing = decode(fixedBytes(NOTHING.length), payload);
  return nothing.ok ? undefined : accuseIn(run, from, `${round} decoding: ${nothing.reason}`);
};

/**
 * Like `checkNothing`, for the message in place of a share: that message is sealed, so its receiver cannot
 * prove the fault to others.
 */
export const checkNoShare = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  from: PartyIndex,
  payload: Uint8Array,
): FaultStep | undefined => {
  const nothing = decode(fixedBytes(NOTHING.length), payload);
  return nothing.ok ? undefined : accuseIn(run, from, `2 decoding of the share: ${nothing.reason}`);
};

/**
 * The broadcast of a dealer in round 2.
 *
 * @param threshold t of the new shares
 */
export const dealingOpeningCodec = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  threshold: number,
): Codec<DealingOpening<P>> =>
  struct<DealingOpening<P>>({
    coefficients: list(pointCodecOf(curve), threshold - 1),
    mask: fixedBytes(RANDOMIZER_BYTES),
  });

/** The exact length of an encoded opening; the other message of round 2, a dealt share, is a scalar and not longer. */
export const dealingOpeningBytes = <P extends GroupPoint<P>>(
  { pointBytes }: Curve<P>,
  threshold: number,
): number => (threshold - 1) * pointBytes + RANDOMIZER_BYTES;

/** The exact length of a ψ_j, in round 3. */
export const proofBytes = <P extends GroupPoint<P>>({ pointBytes }: Curve<P>): number =>
  pointBytes + SCALAR_BYTES;

/** V_i = H(sid, old key info, dealers, receivers, new t and epoch, i, S_i, u_i) */
export const dealingCommitment = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  dealer: PartyIndex,
  { coefficients, mask }: DealingOpening<P>,
): Uint8Array => {
  const { protocol, session, old, weights, receivers, threshold } = run;
  const terms = [keyDigest(old), [...weights.keys()], receivers, threshold, newEpoch(run)];
  return hashFields(`${protocol} V`, [session, terms, dealer, coefficients, mask]);
};

/** The rules by which the dealers of a redistribution commit and open. */
export const dealingOpenings = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
): OpeningRules<DealingOpening<P>> => ({
  protocol: run.protocol,
  codec: dealingOpeningCodec(run.old.scheme.curve, run.threshold),
  commit: (dealer, opening) => dealingCommitment(run, dealer, opening),
});
