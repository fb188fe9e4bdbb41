import type { PartyIndex } from "@conclave/threshold";
import { PAIR_APART_MS, PAIR_APART_MS_MAX } from "./limits.ts";
import {
  coolDown,
  type PairStanding,
  type Standings,
  standingOf,
  suspect,
  withStanding,
} from "./standings.ts";

export type Pair = readonly [PartyIndex, PartyIndex];

/** A pair is forgotten once its time apart is over, and as much time again has passed without another failure. */
const isForgotten = ({ failedAtMs, apartUntilMs }: PairStanding, nowMs: number): boolean =>
  nowMs >= 2 * apartUntilMs - failedAtMs;

const pairOf = (health: Standings, [a, b]: Pair, nowMs: number): PairStanding | undefined => {
  const found = standingOf(health, a).pairs.get(b);
  return found === undefined || isForgotten(found, nowMs) ? undefined : found;
};

/** Whether quorums without this pair are preferred now. */
export const isApart = (health: Standings, pair: Pair, nowMs: number): boolean =>
  (pairOf(health, pair, nowMs)?.apartUntilMs ?? 0) > nowMs;

/**
 * All pairs among these signers that are kept apart now, the least bad first: those with the fewest failures, then the
 * oldest failure.
 */
export const pairsApart = (
  health: Standings,
  signers: readonly PartyIndex[],
  nowMs: number,
): readonly Pair[] =>
  signers
    .flatMap((a, at) => signers.slice(at + 1).map((b): Pair => [a, b]))
    .filter((pair) => isApart(health, pair, nowMs))
    .map((pair) => ({ pair, standing: pairOf(health, pair, nowMs) }))
    .sort(
      ({ standing: one }, { standing: two }) =>
        (one?.failures ?? 0) - (two?.failures ?? 0) || (one?.failedAtMs ?? 0) - (two?.failedAtMs ?? 0),
    )
    .map(({ pair }) => pair);

/**
 * Keeps apart two signers that failed together: quorums without one of the two are preferred for a while, longer after
 * each failure in a row. A success does not shorten that time, so that a signer gains nothing by deviating only every
 * other time.
 */
const keepApart = (health: Standings, [a, b]: Pair, nowMs: number): Standings => {
  const failures = pairOf(health, [a, b], nowMs)?.failures ?? 0;
  const pauseMs = Math.min(PAIR_APART_MS * 2 ** failures, PAIR_APART_MS_MAX);
  const standing = { failures: failures + 1, failedAtMs: nowMs, apartUntilMs: nowMs + pauseMs };
  const noted = (all: Standings, one: PartyIndex, other: PartyIndex): Standings => {
    const known = [...standingOf(all, one).pairs].filter(([, pair]) => !isForgotten(pair, nowMs));
    return withStanding(all, one, { pairs: new Map(known).set(other, standing) });
  };
  return noted(noted(health, a, b), b, a);
};

/**
 * Keeps each of these pairs, which failed together, apart, and suspects all their signers (INV-7).
 *
 * This bounds the failures that liars can cause. Honest signers never fail with each other, so a quorum without a pair
 * that is kept apart exists as long as t honest signers live, and each failed attempt adds a pair with a liar in it. A
 * liar that has failed with n - t + 1 others finds no t - 1 to work with. So k liars, against whom there is no proof,
 * make at most k (n - t + 1) attempts fail until the pairs are used again: with one liar and 3 of 5, three.
 */
export const separate = (health: Standings, pairs: readonly Pair[], nowMs: number): Standings =>
  pairs.reduce((all, pair) => keepApart(all, pair, nowMs), suspect(health, pairs.flat(), nowMs));

/**
 * Handles an accusation that a signer cannot prove to others. One of the two deviates, and nobody can find out which:
 * neither is left out, but the two are kept apart. An accusation of a signer outside the session counts as the
 * accuser's own failure.
 *
 * @param parties of the session
 */
export const hearComplaint = (
  health: Standings,
  parties: readonly PartyIndex[],
  [reporter, accused]: Pair,
  nowMs: number,
): Standings =>
  accused !== reporter && parties.includes(accused)
    ? separate(health, [[reporter, accused]], nowMs)
    : coolDown(health, reporter, nowMs);
