import type { PartyIndex } from "@conclave/threshold";
import type { Finding } from "./accusation.ts";
import { COOL_DOWN_MS, COOL_DOWN_MS_MAX, FAULT_COOL_DOWN_MS } from "./limits.ts";

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
}

/** Signers without an entry never failed. One process shares it among its coordinators. */
export type Standings = ReadonlyMap<PartyIndex, Standing>;

const SOUND: Standing = { failures: 0, lastFailedAtMs: 0, excludedUntilMs: 0, isBlamed: false };

export const standingOf = (health: Standings, signer: PartyIndex): Standing => health.get(signer) ?? SOUND;

const change = (health: Standings, signer: PartyIndex, by: Partial<Standing>): Standings =>
  new Map(health).set(signer, { ...standingOf(health, signer), ...by });

/** A signer failed: it is left out for a while, longer each time in a row. */
export const coolDown = (health: Standings, signer: PartyIndex, nowMs: number): Standings => {
  const { failures, excludedUntilMs } = standingOf(health, signer);
  const pause = Math.min(COOL_DOWN_MS * 2 ** failures, COOL_DOWN_MS_MAX);
  return change(health, signer, {
    failures: failures + 1,
    lastFailedAtMs: nowMs,
    excludedUntilMs: Math.max(excludedUntilMs, nowMs + pause),
  });
};

/** The signer took part in a failure of unknown origin: others are preferred, but it is not left out. */
export const suspect = (health: Standings, signers: readonly PartyIndex[], nowMs: number): Standings =>
  signers.reduce((all, signer) => change(all, signer, { lastFailedAtMs: nowMs }), health);

/** A signer cheated, and what it signed proves it (INV-7). */
export const blame = (health: Standings, signer: PartyIndex, nowMs: number): Standings =>
  change(health, signer, {
    lastFailedAtMs: nowMs,
    excludedUntilMs: nowMs + FAULT_COOL_DOWN_MS,
    isBlamed: true,
  });

/**
 * How signers stand after an accusation. Proof blames the culprit. Of two who cannot both be right, both are left out for a
 * while, for nobody else can tell who lies. An accusation that shows nothing is the failure of its reporter.
 */
export const standingsAfter = (
  health: Standings,
  judgement: Finding,
  reporter: PartyIndex,
  nowMs: number,
): Standings => {
  switch (judgement.kind) {
    case "proven":
      return suspect(blame(health, judgement.verdict.culprit, nowMs), [reporter], nowMs);
    case "between-two":
      return coolDown(coolDown(health, judgement.accused, nowMs), reporter, nowMs);
    case "groundless":
      return coolDown(health, reporter, nowMs);
  }
};

/** Signers that finished a session are sound again. */
export const recover = (health: Standings, signers: readonly PartyIndex[]): Standings => {
  const sound = new Set(signers);
  return new Map([...health].filter(([signer]) => !sound.has(signer)));
};
