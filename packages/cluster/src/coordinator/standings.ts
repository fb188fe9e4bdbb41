import type { PartyIndex } from "@conclave/threshold";
import { COOL_DOWN_MS, COOL_DOWN_MS_MAX, FAULT_COOL_DOWN_MS } from "./limits.ts";

/**
 * What is remembered of two signers that failed together so that nobody else can tell which of them deviated: a sealed
 * message that one says does not open, silence of one towards the other. It blames neither of them (INV-7).
 */
export interface PairStanding {
  /** in a row */
  readonly failures: number;
  /** Unix milliseconds */
  readonly failedAtMs: number;
  /** other quorums are preferred before, Unix milliseconds */
  readonly apartUntilMs: number;
}

/** What a coordinator remembers of a signer. Liveness is another thing, and comes from outside. */
export interface Standing {
  /** in a row */
  readonly failures: number;
  /** Unix milliseconds, 0 for never */
  readonly lastFailedAtMs: number;
  /** not chosen before, Unix milliseconds */
  readonly excludedUntilMs: number;
  /** with signed evidence */
  readonly isBlamed: boolean;
  /** the signers that it failed together with, nobody knows by whose fault; each of them has the same entry */
  readonly pairs: ReadonlyMap<PartyIndex, PairStanding>;
}

/** Signers without an entry never failed. One process shares it among its coordinators. */
export type Standings = ReadonlyMap<PartyIndex, Standing>;

const SOUND: Standing = {
  failures: 0,
  lastFailedAtMs: 0,
  excludedUntilMs: 0,
  isBlamed: false,
  pairs: new Map(),
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
 * Signers that finished a session are sound again. Pairs that failed are forgotten with time alone (pairs.ts). So is a
 * conviction: a cheat may finish a session that began before.
 */
export const recover = (health: Standings, signers: readonly PartyIndex[], nowMs: number): Standings =>
  new Map(
    [...health].flatMap(([signer, standing]) => {
      if (!signers.includes(signer) || isLeftOutForCheating(standing, nowMs)) return [[signer, standing]];
      return standing.pairs.size === 0 ? [] : [[signer, { ...SOUND, pairs: standing.pairs }]];
    }),
  );
