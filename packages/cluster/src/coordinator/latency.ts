import type { PartyIndex } from "@conclave/threshold";
import { LAG_MEMORY_MS, SLOW_MS } from "./limits.ts";
import { type Standings, standingOf, withStanding } from "./standings.ts";

/** The time of each signer's first answer in a session, in order of arrival. */
export type FirstAnswers = ReadonlyMap<PartyIndex, number>;

/** Weight of a new measurement; the rest is the weight of the earlier average. */
const NEW_SHARE = 1 / 4;

/** The lag of a signer in milliseconds; undefined when it was not measured lately. */
const knownLagMs = (health: Standings, signer: PartyIndex, nowMs: number): number | undefined => {
  const { lag } = standingOf(health, signer);
  return lag === undefined || nowMs - lag.atMs >= LAG_MEMORY_MS ? undefined : lag.ms;
};

/**
 * How long after the first half of a session's signers this one answers. All were asked for the same at the same time,
 * so neither the kind of session nor a load on all signers changes it. A single fast signer does not make the others
 * slow.
 */
const lagMs = (answered: FirstAnswers, size: number, nowMs: number): number => {
  const typical = [...answered.values()].toSorted((a, b) => a - b)[Math.ceil(size / 2) - 1];
  return typical === undefined ? 0 : Math.max(0, nowMs - typical);
};

/**
 * Measures the lag of signers in a session: of those that answer now for the first time, and, when the session succeeds
 * without them, of those that have not answered. Signers that answered before are skipped.
 *
 * @param answered the first answers before this one
 * @param size number of signers of the session
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

/** Adds a signer's answer unless it has one. */
export const withAnswer = (answered: FirstAnswers, signer: PartyIndex, nowMs: number): FirstAnswers =>
  answered.has(signer) ? answered : new Map(answered).set(signer, nowMs);

/**
 * How slow signers are, in steps: 0 for signers that are as fast as others or were not measured, 1 from SLOW_MS on, and
 * one more for each doubling. A session is as slow as its slowest signer. A measurement is forgotten after
 * LAG_MEMORY_MS, so that an avoided signer is tried again.
 */
export const slownessOf = (health: Standings, signers: readonly PartyIndex[], nowMs: number): number =>
  Math.max(
    0,
    ...signers.map((signer) => {
      const ms = knownLagMs(health, signer, nowMs) ?? 0;
      return ms < SLOW_MS ? 0 : 1 + Math.floor(Math.log2(ms / SLOW_MS));
    }),
  );
