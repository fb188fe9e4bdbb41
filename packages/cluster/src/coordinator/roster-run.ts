import { type ErrorCode, type Problem, problem } from "@conclave/custody";
import type { Entropy, PartyIndex } from "@conclave/threshold";
import type { Command } from "../control/command.ts";
import type { SessionReport } from "../control/report.ts";
import type { SessionKey } from "../control/session-key.ts";
import { isGrounded } from "./accusation.ts";
import type { CoordinatorEffect } from "./effect.ts";
import { freshSession } from "./fresh-session.ts";
import { FINAL_REPORTS_MS } from "./limits.ts";
import { idsOf, type Members } from "./quorum.ts";

/** One session that every signer of the roster takes part in, as its caller follows it. */
export interface RosterRun {
  readonly key: SessionKey;
  readonly deadlineMs: number;
  /** signers that still owe their final report */
  readonly open: ReadonlySet<PartyIndex>;
}

type Effect = CoordinatorEffect<never>;

/**
 * Asks every signer to begin a session under a fresh id.
 *
 * @param commandOf what one signer is asked
 */
export const beginOnAll = (
  {
    roster,
    entropy,
    attemptMs,
  }: { readonly roster: Members; readonly entropy: Entropy; readonly attemptMs: number },
  commandOf: (signer: PartyIndex, expiresAtMs: number) => Command,
  nowMs: number,
): { readonly run: RosterRun; readonly effects: readonly Effect[] } => {
  const { id, key } = freshSession(entropy);
  const expiresAtMs = nowMs + attemptMs;
  const deadlineMs = expiresAtMs + FINAL_REPORTS_MS;
  const signers = [...roster.keys()];
  const calls = signers.map((signer): Effect => {
    return { kind: "call", signer, session: id, command: commandOf(signer, expiresAtMs) };
  });
  return {
    run: { key, deadlineMs, open: new Set(signers) },
    effects: [...calls, { kind: "wake", atMs: deadlineMs }],
  };
};

/** Closes every stream of a run that has not ended by itself. */
export const cancelOpen = ({ open, key }: RosterRun, ended: readonly PartyIndex[]): readonly Effect[] =>
  [...open]
    .filter((signer) => !ended.includes(signer))
    .map((signer) => ({ kind: "cancel", signer, session: key }));

/** The streams that are left once a signer has sent its final report. */
export const openBut = ({ open }: RosterRun, signer: PartyIndex): ReadonlySet<PartyIndex> =>
  new Set([...open].filter((other) => other !== signer));

export const unavailable = (roster: Members, signers: readonly PartyIndex[]): Problem =>
  problem("SignersUnavailable", { unavailable: idsOf(roster, signers) });

/** Why a run ends, and what goes on record of it (INV-7). */
interface Misfortune {
  readonly reason: Problem;
  readonly record: readonly Effect[];
}

/** What follows when a signer reports that its session failed, or that a peer cheated. */
export const misfortuneOf = (
  roster: Members,
  { key }: RosterRun,
  signer: PartyIndex,
  report: Extract<SessionReport, { readonly kind: "failure" | "fault" }>,
  code: ErrorCode,
): Misfortune => {
  const [id] = idsOf(roster, [signer]);
  if (report.kind === "failure") {
    const silent = report.silent.filter((peer) => peer !== signer && roster.has(peer));
    const reason =
      silent.length > 0 ? unavailable(roster, silent) : problem(code, { reason: report.reason, signer: id });
    return { reason, record: [] };
  }
  const { fault } = report;
  const isReal = isGrounded(roster, [...roster.keys()], fault);
  const [culprit] = idsOf(roster, [isReal ? fault.culprit : signer]);
  const why = isReal ? `${culprit} deviated from the protocol` : `${culprit} blamed without evidence`;
  return {
    reason: problem(code, { reason: why, signer: culprit }),
    record: isReal ? [{ kind: "fault", reporter: signer, session: key, fault }] : [],
  };
};
