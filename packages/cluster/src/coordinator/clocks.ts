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

/** Refusals whose only cause is a clock. The signer is fit: it accepts a deadline that is named by its own clock. */
export const isOfClock = (code: ErrorCode): boolean => code === "SessionExpired" || code === "DeadlineTooFar";

/**
 * The clock of this process that is compared with signers' clocks. The coordinator's own times are of the monotonic
 * clock.
 */
export interface OwnClock {
  /** Unix time minus the time that comes with each step, whole milliseconds; it changes when the system clock is set */
  readonly unixAheadMs: () => number;
}

const rememberedOf = (health: Standings, signer: PartyIndex, nowMs: number): ReportedClock | undefined => {
  const { clock } = standingOf(health, signer);
  return clock !== undefined && nowMs - clock.reportedAtMs < CLOCK_REMEMBERED_MS ? clock : undefined;
};

/**
 * The standings after a refusal whose cause is a clock. The first one costs the signer little, as the next session
 * names its deadline by the clock that the signer reported. A signer that refuses again, or reports an impossible time,
 * is left out for a moment like one that failed.
 *
 * @param own this process's clock, by which the reported time is judged
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
  /** as its signers receive it: Unix milliseconds, by the clock that a signer reported, if one did */
  readonly signersExpiresAtMs: number;
  /** how far that clock is from this process's own; 0 where no signer's report was used */
  readonly shiftMs: number;
}

/**
 * Names a session's deadline by the clock that a signer reported last; while no signer has refused a deadline, by this
 * process's own clock. One signer's report is enough, because usually the coordinator's clock is wrong, or was
 * corrected. If the report is a lie, the next signer refuses the deadline and reports its own clock, or accepts the
 * deadline and the session runs out of time. Then the report is doubted, and used only for sessions of its signer.
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

/** A session with its deadline, on its signers' clocks and on the coordinator's. */
interface TimedSession extends NamedDeadline {
  readonly quorum: readonly PartyIndex[];
}

/**
 * The time on the coordinator's clock from which the session may have expired for its signers: a failure after it is
 * not the signer's own. A deadline that is already past by this process's clock says nothing here: signers accepted it
 * by another clock.
 *
 * @param patienceMs how long the session was to have
 */
export const timeUpMs = (
  { expiresAtMs, shiftMs }: Pick<NamedDeadline, "expiresAtMs" | "shiftMs">,
  patienceMs: number,
): number => (shiftMs > -patienceMs ? expiresAtMs + Math.min(0, shiftMs) : expiresAtMs);

/**
 * After a stalled session: if its deadline came from clocks that signers outside the session reported, these clocks are
 * doubted from now on.
 *
 * @returns undefined if it did not, as then the session had its full time
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
 * How far a signer's clock is off, for operators: "61 s ahead". Undefined if the signer reported none, or both clocks
 * show the same second.
 */
export const clockNote = (health: Standings, signer: PartyIndex, nowMs: number): string | undefined => {
  const seconds = Math.round((rememberedOf(health, signer, nowMs)?.apartMs ?? 0) / 1000);
  if (seconds === 0) return undefined;
  return `${Math.abs(seconds)} s ${seconds > 0 ? "ahead" : "behind"}`;
};

/** `clockNote` of all signers that lately reported a clock, by id: when two clocks are apart, a refusal names only one. */
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
