import type { ErrorCode, Problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import type { RosterMember } from "../control/roster-member.ts";
import { CLOCK_APART_MS_MAX, CLOCK_REMEMBERED_MS } from "./limits.ts";
import { coolDown, type Standings, standingOf, suspect, type ToldClock, withStanding } from "./standings.ts";

/** Refusals that come of clocks alone. The signer is as good as before: it takes a deadline that is named by its own clock. */
export const isOfClock = (code: ErrorCode): boolean => code === "SessionExpired" || code === "DeadlineTooFar";

const rememberedOf = (health: Standings, signer: PartyIndex, nowMs: number): ToldClock | undefined => {
  const { clock } = standingOf(health, signer);
  return clock !== undefined && Math.abs(nowMs - clock.toldAtMs) < CLOCK_REMEMBERED_MS ? clock : undefined;
};

/**
 * How the signers stand after a refusal that comes of clocks. The first one costs its signer little, for the next session names
 * its deadline by what it told; who refuses again, or tells no time that can be, is left out for a moment like who failed.
 */
export const learnClock = (
  health: Standings,
  signer: PartyIndex,
  { details }: Pick<Problem, "details">,
  nowMs: number,
): Standings => {
  const { clockMs } = details;
  const isTold = typeof clockMs === "number" && Math.abs(clockMs - nowMs) <= CLOCK_APART_MS_MAX;
  if (!isTold) return coolDown(health, signer, nowMs);
  const before = rememberedOf(health, signer, nowMs);
  const judged = before === undefined ? suspect(health, [signer], nowMs) : coolDown(health, signer, nowMs);
  const isDoubted = before?.isDoubted ?? false;
  return withStanding(judged, signer, { clock: { aheadMs: clockMs - nowMs, toldAtMs: nowMs, isDoubted } });
};

/**
 * How far the signers' clocks are ahead of the coordinator's, milliseconds, by what was told last: 0 as long as no signer refused
 * a deadline. One signer's word is enough, because as a rule it is the coordinator's clock that is wrong, or was set right. Where
 * it lies, the next one refuses, and tells its own; or takes the deadline, and has no time: then the word is doubted, and counts
 * only where its signer takes part.
 *
 * @param signers of the session
 */
export const clocksAheadMs = (health: Standings, signers: readonly PartyIndex[], nowMs: number): number => {
  const told = [...health.keys()].flatMap((signer) => {
    const clock = rememberedOf(health, signer, nowMs);
    return clock === undefined || (clock.isDoubted && !signers.includes(signer)) ? [] : [clock];
  });
  return told.toSorted((a, b) => b.toldAtMs - a.toldAtMs)[0]?.aheadMs ?? 0;
};

/** A session as its signers were told its deadline, and as the coordinator counts it. */
interface TimedSession {
  readonly quorum: readonly PartyIndex[];
  readonly expiresAtMs: number;
  readonly toldExpiresAtMs: number;
}

/**
 * From when on a session's time may be up for its signers, on the coordinator's clock: who fails then does not fail by itself.
 * A deadline that was told as past by the coordinator's clock is none on it: signers took it by another.
 *
 * @param patienceMs how long the session was to have
 */
export const timeUpMs = (
  { expiresAtMs, toldExpiresAtMs }: Omit<TimedSession, "quorum">,
  patienceMs: number,
): number =>
  toldExpiresAtMs > expiresAtMs - patienceMs ? Math.min(expiresAtMs, toldExpiresAtMs) : expiresAtMs;

/**
 * A session stalled. Where its deadline came of the word of signers that had no part in it, their clocks are doubted from now on.
 *
 * @returns undefined where it did not: then the session had the time that it was to have
 */
export const doubtClock = (
  health: Standings,
  { quorum, expiresAtMs, toldExpiresAtMs }: TimedSession,
  nowMs: number,
): Standings | undefined => {
  const tellers = [...health].flatMap(([signer, { clock }]) => {
    const isUsed = clock !== undefined && clock.aheadMs === toldExpiresAtMs - expiresAtMs;
    return isUsed && clock.aheadMs !== 0 && !clock.isDoubted ? [[signer, clock] as const] : [];
  });
  if (tellers.length === 0 || tellers.some(([signer]) => quorum.includes(signer))) return undefined;
  return tellers.reduce(
    (all, [signer, clock]) => withStanding(all, signer, { clock: { ...clock, isDoubted: true } }),
    suspect(health, quorum, nowMs),
  );
};

/** What people are told of a signer's clock: "61 s ahead". Undefined while it told none, or the two show the same second. */
export const clockNote = (health: Standings, signer: PartyIndex, nowMs: number): string | undefined => {
  const seconds = Math.round((rememberedOf(health, signer, nowMs)?.aheadMs ?? 0) / 1000);
  if (seconds === 0) return undefined;
  return `${Math.abs(seconds)} s ${seconds > 0 ? "ahead" : "behind"}`;
};

/** The same of all signers that told one lately, by id: of two clocks that are apart a refusal names only one. */
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
