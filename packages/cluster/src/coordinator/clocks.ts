import type { ErrorCode, Problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import type { RosterMember } from "../control/roster-member.ts";
import { CLOCK_APART_MS_MAX, CLOCK_REMEMBERED_MS } from "./limits.ts";
import {
  coolDown,
  type ReportedClock,
  type Standings,
  standingOf,
  suspect,
  withStanding,
} from "./standings.ts";

/** Refusals that come of clocks alone. The signer is as good as before: it takes a deadline that is named by its own clock. */
export const isOfClock = (code: ErrorCode): boolean => code === "SessionExpired" || code === "DeadlineTooFar";

/** The clock that signers compare with theirs, as a coordinator knows it. Its own times are of a clock that only counts. */
export interface OwnClock {
  /** how far Unix time is ahead of the time that comes with each step, whole milliseconds: another when somebody sets the clock */
  readonly unixAheadMs: () => number;
}

const rememberedOf = (health: Standings, signer: PartyIndex, nowMs: number): ReportedClock | undefined => {
  const { clock } = standingOf(health, signer);
  return clock !== undefined && nowMs - clock.reportedAtMs < CLOCK_REMEMBERED_MS ? clock : undefined;
};

/**
 * How the signers stand after a refusal that comes of clocks. The first one costs its signer little, for the next session names
 * its deadline by the clock that it reported; a signer that refuses again, or reports an impossible time, is left out for a
 * moment like one that failed.
 *
 * @param own the clock of this process, by which it is judged what can be
 */
export const learnClock = (
  health: Standings,
  signer: PartyIndex,
  { details }: Pick<Problem, "details">,
  nowMs: number,
  own: OwnClock,
): Standings => {
  const { clockMs } = details;
  const apartMs = typeof clockMs === "number" ? clockMs - nowMs - own.unixAheadMs() : Number.NaN;
  if (typeof clockMs !== "number" || !(Math.abs(apartMs) <= CLOCK_APART_MS_MAX)) {
    return coolDown(health, signer, nowMs);
  }
  const before = rememberedOf(health, signer, nowMs);
  const judged = before === undefined ? suspect(health, [signer], nowMs) : coolDown(health, signer, nowMs);
  const isDoubted = before?.isDoubted ?? false;
  return withStanding(judged, signer, {
    clock: { aheadMs: clockMs - nowMs, apartMs, reportedAtMs: nowMs, isDoubted },
  });
};

/** A session's deadline. */
export interface NamedDeadline {
  /** on the coordinator's clock */
  readonly expiresAtMs: number;
  /** as its signers receive it: Unix milliseconds, by a clock of theirs where one of them reported it */
  readonly signersExpiresAtMs: number;
  /** how far that is from what this process's own clock says; 0 where no signer's word counted */
  readonly shiftMs: number;
}

/**
 * Names the deadline of a session by the clock that was reported last, and by this process's own as long as no signer refused a
 * deadline. One signer's word is enough, because as a rule it is the coordinator's clock that is wrong, or was set right. Where
 * it lies, the next one refuses, and tells its own; or takes the deadline, and has no time: then the word is doubted, and counts
 * only where its signer takes part.
 *
 * @param signers of the session
 * @param forMs how long the session is to have
 */
export const nameDeadline = (
  health: Standings,
  signers: readonly PartyIndex[],
  { nowMs, forMs }: { readonly nowMs: number; readonly forMs: number },
  own: OwnClock,
): NamedDeadline => {
  const reported = [...health.keys()].flatMap((signer) => {
    const clock = rememberedOf(health, signer, nowMs);
    return clock === undefined || (clock.isDoubted && !signers.includes(signer)) ? [] : [clock];
  });
  const ownAheadMs = own.unixAheadMs();
  const aheadMs = reported.toSorted((a, b) => b.reportedAtMs - a.reportedAtMs)[0]?.aheadMs ?? ownAheadMs;
  const expiresAtMs = nowMs + forMs;
  return { expiresAtMs, signersExpiresAtMs: expiresAtMs + aheadMs, shiftMs: aheadMs - ownAheadMs };
};

/** A session with its deadline as its signers received it, and as the coordinator counts it. */
interface TimedSession extends NamedDeadline {
  readonly quorum: readonly PartyIndex[];
}

/**
 * From when on a session's time may be up for its signers, on the coordinator's clock: who fails then does not fail by itself.
 * A named deadline that is past by this process's clock is none on it: signers took it by another.
 *
 * @param patienceMs how long the session was to have
 */
export const timeUpMs = (
  { expiresAtMs, shiftMs }: Pick<NamedDeadline, "expiresAtMs" | "shiftMs">,
  patienceMs: number,
): number => (shiftMs > -patienceMs ? expiresAtMs + Math.min(0, shiftMs) : expiresAtMs);

/**
 * A session stalled. Where its deadline came of the word of signers that had no part in it, their clocks are doubted from now on.
 *
 * @returns undefined where it did not: then the session had the time that it was to have
 */
export const doubtClock = (
  health: Standings,
  { quorum, expiresAtMs, signersExpiresAtMs, shiftMs }: TimedSession,
  nowMs: number,
): Standings | undefined => {
  const reporters = [...health].flatMap(([signer, { clock }]) => {
    const isUsed = clock !== undefined && clock.aheadMs === signersExpiresAtMs - expiresAtMs;
    return isUsed && shiftMs !== 0 && !clock.isDoubted ? [[signer, clock] as const] : [];
  });
  if (reporters.length === 0 || reporters.some(([signer]) => quorum.includes(signer))) return undefined;
  return reporters.reduce(
    (all, [signer, clock]) => withStanding(all, signer, { clock: { ...clock, isDoubted: true } }),
    suspect(health, quorum, nowMs),
  );
};

/**
 * The words in which people read of a signer's clock: "61 s ahead". Undefined while it reported none, or the two show the same
 * second.
 */
export const clockNote = (health: Standings, signer: PartyIndex, nowMs: number): string | undefined => {
  const seconds = Math.round((rememberedOf(health, signer, nowMs)?.apartMs ?? 0) / 1000);
  if (seconds === 0) return undefined;
  return `${Math.abs(seconds)} s ${seconds > 0 ? "ahead" : "behind"}`;
};

/** The same of all signers that reported one lately, by id: of two clocks that are apart a refusal names only one. */
export const clockNotes = (
  roster: ReadonlyMap<PartyIndex, Pick<RosterMember, "id">>,
  health: Standings,
  nowMs: number,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...roster].flatMap(([signer, { id }]) => {
      const note = clockNote(health, signer, nowMs);
      return note === undefined ? [] : [[id, note] as const];
    }),
  );
