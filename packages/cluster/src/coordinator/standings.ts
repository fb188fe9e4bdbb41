import type { PartyIndex } from "@conclave/threshold";
import {
  COOL_DOWN_MS,
  COOL_DOWN_MS_MAX,
  FAULT_COOL_DOWN_MS,
  PAIR_APART_MS,
  PAIR_APART_MS_MAX,
} from "./limits.ts";

/* Times are in milliseconds of the monotonic clock: setting the system clock does not change when a pause ends. */

/**
 * The record of two signers that failed together, where nobody else can find out which of them deviated: one says that
 * the other's sealed message does not open, or that the other was silent. It blames neither (INV-7).
 */
export interface PairStanding {
  /** number of failures in a row */
  readonly failures: number;
  readonly failedAtMs: number;
  /** until then other quorums are preferred */
  readonly apartUntilMs: number;
}

/** The record of failures that a signer caused itself, without accusing others. A success does not clear it. */
export interface Lapses {
  /** number of failures in a row */
  readonly failures: number;
  readonly failedAtMs: number;
  /** until then other signers are preferred */
  readonly avoidedUntilMs: number;
}

/** The time that a signer's clock showed when it refused a deadline. */
export interface ReportedClock {
  /** milliseconds by which it is ahead of the monotonic clock */
  readonly aheadMs: number;
  /** for operators, its lead over this process's clock, milliseconds; negative when it is behind */
  readonly apartMs: number;
  readonly reportedAtMs: number;
  /** a session without this signer had its deadline by this clock, and failed */
  readonly isDoubted: boolean;
}

/** The delay of a signer's answers, compared with the others of its sessions. */
export interface Lag {
  /** smoothed, milliseconds */
  readonly ms: number;
  /** time of the last measurement */
  readonly atMs: number;
}

/** A coordinator's record of a signer. Liveness is separate: it is reported to the coordinator. */
export interface Standing {
  /** number of failures in a row */
  readonly failures: number;
  /** 0 for never */
  readonly lastFailedAtMs: number;
  /** until then it is not chosen */
  readonly excludedUntilMs: number;
  /** whether signed evidence proves that it cheated */
  readonly isBlamed: boolean;
  /** the signers that it failed together with, by the fault of one of the two; each of them has the same entry */
  readonly pairs: ReadonlyMap<PartyIndex, PairStanding>;
  readonly lapses: Lapses | undefined;
  /** the clock that it showed when it refused a deadline; kept for a while whatever else it does */
  readonly clock: ReportedClock | undefined;
  /** undefined without a measurement */
  readonly lag: Lag | undefined;
}

/** Standings by signer; one without an entry never failed. All coordinators of a process share them. */
export type Standings = ReadonlyMap<PartyIndex, Standing>;

const SOUND: Standing = {
  failures: 0,
  lastFailedAtMs: 0,
  excludedUntilMs: 0,
  isBlamed: false,
  pairs: new Map(),
  lapses: undefined,
  clock: undefined,
  lag: undefined,
};

export const standingOf = (health: Standings, signer: PartyIndex): Standing => health.get(signer) ?? SOUND;

export const withStanding = (health: Standings, signer: PartyIndex, by: Partial<Standing>): Standings =>
  new Map(health).set(signer, { ...standingOf(health, signer), ...by });

/** Leaves a signer that failed out for a while, longer after each failure in a row. */
export const coolDown = (health: Standings, signer: PartyIndex, nowMs: number): Standings => {
  const { failures, excludedUntilMs } = standingOf(health, signer);
  const pause = Math.min(COOL_DOWN_MS * 2 ** failures, COOL_DOWN_MS_MAX);
  return withStanding(health, signer, {
    failures: failures + 1,
    lastFailedAtMs: nowMs,
    excludedUntilMs: Math.max(excludedUntilMs, nowMs + pause),
  });
};

const lapsesOf = (health: Standings, signer: PartyIndex, nowMs: number): Lapses | undefined => {
  const { lapses } = standingOf(health, signer);
  const isForgotten = lapses === undefined || nowMs >= 2 * lapses.avoidedUntilMs - lapses.failedAtMs;
  return isForgotten ? undefined : lapses;
};

/** Whether other signers are preferred to this one because of its own lapses. */
export const isAvoided = (health: Standings, signer: PartyIndex, nowMs: number): boolean =>
  (lapsesOf(health, signer, nowMs)?.avoidedUntilMs ?? 0) > nowMs;

/**
 * Records that a signer ended an attempt by itself. It is left out for a moment, and others are preferred to it for as
 * long as a pair is kept apart. A success does not shorten that time, so that a signer gains nothing by failing only
 * every other time.
 */
export const lapse = (health: Standings, signer: PartyIndex, nowMs: number): Standings => {
  const failures = lapsesOf(health, signer, nowMs)?.failures ?? 0;
  const pauseMs = Math.min(PAIR_APART_MS * 2 ** failures, PAIR_APART_MS_MAX);
  const lapses = { failures: failures + 1, failedAtMs: nowMs, avoidedUntilMs: nowMs + pauseMs };
  return withStanding(coolDown(health, signer, nowMs), signer, { lapses });
};

/** Records that signers took part in a failure of unknown origin: others are preferred, but these are not left out. */
export const suspect = (health: Standings, signers: readonly PartyIndex[], nowMs: number): Standings =>
  signers.reduce((all, signer) => withStanding(all, signer, { lastFailedAtMs: nowMs }), health);

/** Records that a signer cheated, as its signed messages prove (INV-7). */
export const blame = (health: Standings, signer: PartyIndex, nowMs: number): Standings =>
  withStanding(health, signer, {
    lastFailedAtMs: nowMs,
    excludedUntilMs: nowMs + FAULT_COOL_DOWN_MS,
    isBlamed: true,
  });

const isLeftOutForCheating = ({ isBlamed, excludedUntilMs }: Standing, nowMs: number): boolean =>
  isBlamed && excludedUntilMs > nowMs;

/**
 * Clears the failures of signers that finished a session. Lapses, pairs and slowness only expire with time. So does a
 * proven fault, as a cheat may finish a session that began before it.
 */
export const recover = (health: Standings, signers: readonly PartyIndex[], nowMs: number): Standings =>
  new Map(
    [...health].flatMap(([signer, standing]) => {
      if (!signers.includes(signer) || isLeftOutForCheating(standing, nowMs)) return [[signer, standing]];
      const { pairs, lapses, clock, lag } = standing;
      const isForgotten =
        pairs.size === 0 && lapses === undefined && clock === undefined && lag === undefined;
      return isForgotten ? [] : [[signer, { ...SOUND, pairs, lapses, clock, lag }]];
    }),
  );
