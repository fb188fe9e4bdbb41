import type { PartyIndex } from "@conclave/threshold";
import { LAG_MEMORY_MS, SLOW_MS } from "./limits.ts";
import { type Standings, standingOf, withStanding } from "./standings.ts";

/** When each signer of a session answered first, in order of arrival. */
export type FirstAnswers = ReadonlyMap<PartyIndex, number>;

/** How much of a new measurement counts; the rest is what was known. */
const NEW_SHARE = 1 / 4;

/** The lag of a signer in milliseconds; undefined when it was not measured of late. */
const knownLagMs = (health: Standings, signer: PartyIndex, nowMs: number): number | undefined => {
  const { lag } = standingOf(health, signer);
  return lag === undefined || nowMs - lag.atMs >= LAG_MEMORY_MS ? undefined : lag.ms;
};

/**
 * How long after the first half of a session's signers this one answers: they were asked at once and for the same, so that
 * neither the kind of the session nor the load of them all counts. One signer that answers at once makes nobody slow.
 */
const lagMs = (answered: FirstAnswers, size: number, nowMs: number): number => {
  const typical = [...answered.values()].toSorted((a, b) => a - b)[Math.ceil(size / 2) - 1];
  return typical === undefined ? 0 : Math.max(0, nowMs - typical);
};

/**
 * Remembers how late signers are in a session: those that answer now for the first time, and those that have not answered when
 * it ends well without them. Those that answered before are passed over.
 *
 * @param answered the first answers before this one
 * @param size signers of the session; a count
 */
export const withLags = (
  health: Standings,
  signers: readonly PartyIndex[],
  answered: FirstAnswers,
  size: number,
  nowMs: number,
): Standings =>
  signers
    .filter((signer) => !answered.has(signer))
    .reduce((all, signer) => {
      const now = lagMs(answered, size, nowMs);
      const before = knownLagMs(all, signer, nowMs) ?? now;
      const ms = before + (now - before) * NEW_SHARE;
      return withStanding(all, signer, { lag: { ms, atMs: nowMs } });
    }, health);

/** The session's first answers with one more. */
export const withAnswer = (answered: FirstAnswers, signer: PartyIndex, nowMs: number): FirstAnswers =>
  answered.has(signer) ? answered : new Map(answered).set(signer, nowMs);

/**
 * How slow signers are, in steps: 0 for those that are as fast as others or about whom nothing is known, 1 from SLOW_MS on, one
 * more for each doubling. A session is as slow as the slowest of its signers. A measurement is forgotten after
 * LAG_MEMORY_MS, so that a signer that is avoided is tried again.
 */
export const slownessOf = (health: Standings, signers: readonly PartyIndex[], nowMs: number): number =>
  Math.max(
    0,
    ...signers.map((signer) => {
      const ms = knownLagMs(health, signer, nowMs) ?? 0;
      return ms < SLOW_MS ? 0 : 1 + Math.floor(Math.log2(ms / SLOW_MS));
    }),
  );
