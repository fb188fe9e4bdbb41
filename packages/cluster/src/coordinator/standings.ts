import type { PartyIndex } from "@conclave/threshold";
import {
  COOL_DOWN_MS,
  COOL_DOWN_MS_MAX,
  FAULT_COOL_DOWN_MS,
  PAIR_APART_MS,
  PAIR_APART_MS_MAX,
} from "./limits.ts";

/*
 * All times are of the clock that only counts, in milliseconds: a pause that it measures ends in time, also after
 * somebody set the clock of the machine.
 */

/**
 * The memory of two signers that failed together so that nobody else can tell which of them deviated: a sealed
 * message that one says does not open, silence of one towards the other. It blames neither of them (INV-7).
 */
export interface PairStanding {
  /** in a row */
  readonly failures: number;
  readonly failedAtMs: number;
  /** other quorums are preferred before */
  readonly apartUntilMs: number;
}

/** The memory of a signer that failed by its own word or deed, and blamed nobody. A success does not clear it. */
export interface Lapses {
  /** in a row */
  readonly failures: number;
  readonly failedAtMs: number;
  /** others are preferred before */
  readonly avoidedUntilMs: number;
}

/** The time that a signer's clock showed when it refused a deadline. */
export interface ReportedClock {
  /** how far it is ahead of the time that coordinators count by, milliseconds */
  readonly aheadMs: number;
  /** how far it was ahead of this process's clock, for people; negative when it is behind */
  readonly apartMs: number;
  readonly reportedAtMs: number;
  /** a session without this signer had its deadline by this clock, and came to nothing */
  readonly isDoubted: boolean;
}

/** How late a signer answers, compared with the others of its sessions. */
export interface Lag {
  /** smoothed, milliseconds */
  readonly ms: number;
  /** when it was measured last */
  readonly atMs: number;
}

/** A coordinator's memory of a signer. Liveness is another thing, and comes from outside. */
export interface Standing {
  /** in a row */
  readonly failures: number;
  /** 0 for never */
  readonly lastFailedAtMs: number;
  /** not chosen before */
  readonly excludedUntilMs: number;
  /** with signed evidence */
  readonly isBlamed: boolean;
  /** the signers that it failed together with, nobody knows by whose fault; each of them has the same entry */
  readonly pairs: ReadonlyMap<PartyIndex, PairStanding>;
  readonly lapses: Lapses | undefined;
  /** when it refused a deadline; kept for a while whatever else it does */
  readonly clock: ReportedClock | undefined;
  /** undefined while it was never measured */
  readonly lag: Lag | undefined;
}

/** Signers without an entry never failed. One process shares it among its coordinators. */
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

/** A signer failed: it is left out for a while, longer each time in a row. */
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

/** Whether others are preferred to a signer for what it did by itself. */
export const isAvoided = (health: Standings, signer: PartyIndex, nowMs: number): boolean =>
  (lapsesOf(health, signer, nowMs)?.avoidedUntilMs ?? 0) > nowMs;

/**
 * A signer ended an attempt by itself. It is left out for a moment, and others are preferred to it as long as to a pair that
 * failed. A success does not shorten that, so that a signer cannot fail every other time.
 */
export const lapse = (health: Standings, signer: PartyIndex, nowMs: number): Standings => {
  const failures = lapsesOf(health, signer, nowMs)?.failures ?? 0;
  const pauseMs = Math.min(PAIR_APART_MS * 2 ** failures, PAIR_APART_MS_MAX);
  const lapses = { failures: failures + 1, failedAtMs: nowMs, avoidedUntilMs: nowMs + pauseMs };
  return withStanding(coolDown(health, signer, nowMs), signer, { lapses });
};

/** The signer took part in a failure of unknown origin: others are preferred, but it is not left out. */
export const suspect = (health: Standings, signers: readonly PartyIndex[], nowMs: number): Standings =>
  signers.reduce((all, signer) => withStanding(all, signer, { lastFailedAtMs: nowMs }), health);

/** A signer cheated, and what it signed proves it (INV-7). */
export const blame = (health: Standings, signer: PartyIndex, nowMs: number): Standings =>
  withStanding(health, signer, {
    lastFailedAtMs: nowMs,
    excludedUntilMs: nowMs + FAULT_COOL_DOWN_MS,
    isBlamed: true,
  });

const isLeftOutForCheating = ({ isBlamed, excludedUntilMs }: Standing, nowMs: number): boolean =>
  isBlamed && excludedUntilMs > nowMs;

/**
 * Signers that finished a session are sound again. Lapses, pairs that failed and slowness are forgotten with time alone. So is a
 * conviction: a cheat may finish a session that began before.
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
