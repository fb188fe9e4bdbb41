import { type ErrorCode, type Problem, problem } from "@conclave/custody";
import type { Entropy, Evidence, PartyIndex } from "@conclave/threshold";
import type { Command } from "../control/command.ts";
import type { SessionReport } from "../control/report.ts";
import type { SessionKey } from "../control/session-key.ts";
import { judgeAccusation } from "./accusation.ts";
import { nameDeadline, type OwnClock } from "./clocks.ts";
import type { CoordinatorEffect } from "./effect.ts";
import { freshSession } from "./fresh-session.ts";
import { FINAL_REPORTS_MS } from "./limits.ts";
import { idsOf, type Members } from "./quorum/choose.ts";
import { blame, type Standings } from "./standings.ts";

/** One session in which every signer of the roster takes part, as its caller follows it. */
export interface RosterRun {
  readonly key: SessionKey;
  /** as the signers received the deadline, on their clocks */
  readonly signersExpiresAtMs: number;
  /** on the coordinator's clock */
  readonly deadlineMs: number;
  /** signers whose final report is missing */
  readonly open: ReadonlySet<PartyIndex>;
}

type Effect = CoordinatorEffect<never>;

/**
 * Asks every signer to begin a session under a fresh id.
 *
 * @param commandOf the command to one signer
 * @param health standings, with the signers' clocks
 */
export const beginOnAll = (
  config: { readonly roster: Members; readonly entropy: Entropy; readonly attemptMs: number } & OwnClock,
  commandOf: (signer: PartyIndex, expiresAtMs: number) => Command,
  health: Standings,
  nowMs: number,
): { readonly run: RosterRun; readonly effects: readonly Effect[] } => {
  const { roster, entropy, attemptMs: forMs } = config;
  const { id, key } = freshSession(entropy);
  const signers = [...roster.keys()];
  const { expiresAtMs, signersExpiresAtMs } = nameDeadline(health, signers, { nowMs, forMs }, config);
  const deadlineMs = expiresAtMs + FINAL_REPORTS_MS;
  const calls = signers.map((signer): Effect => {
    return { kind: "call", signer, session: id, command: commandOf(signer, signersExpiresAtMs) };
  });
  return {
    run: { key, signersExpiresAtMs, deadlineMs, open: new Set(signers) },
    effects: [...calls, { kind: "wake", atMs: deadlineMs }],
  };
};

/** Closes every stream of a run that is still open. */
export const cancelOpen = ({ open, key }: RosterRun, ended: readonly PartyIndex[]): readonly Effect[] =>
  [...open]
    .filter((signer) => !ended.includes(signer))
    .map((signer) => ({ kind: "cancel", signer, session: key }));

/** The open streams without that of a signer that has sent its final report. */
export const openBut = ({ open }: RosterRun, signer: PartyIndex): ReadonlySet<PartyIndex> =>
  new Set([...open].filter((other) => other !== signer));

export const unavailable = (roster: Members, signers: readonly PartyIndex[]): Problem =>
  problem("SignersUnavailable", { unavailable: idsOf(roster, signers) });

/** The reason why a run ends, and the faults to record (INV-7). */
interface Misfortune {
  readonly reason: Problem;
  readonly record: readonly Effect[];
}

/** The outcome when a signer reports that its session failed, or that a peer cheated. */
export const misfortuneOf = (
  roster: Members,
  run: RosterRun,
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
  const { why, accused, record } = accusationIn(roster, run, signer, report.evidence);
  const [named] = idsOf(roster, [accused]);
  return { reason: problem(code, { reason: why, signer: named }), record };
};

/** The outcome of an accusation in a session of the whole roster: its reason in words, and the fault to record. */
interface Accused {
  readonly why: string;
  /** the culprit when there is proof, else the reporter */
  readonly accused: PartyIndex;
  readonly record: readonly Effect[];
}

/**
 * The standings after these faults are recorded: a signer that provably deviated is left out wherever the others
 * suffice (P15).
 */
export const blameOnRecord = (health: Standings, record: readonly Effect[], nowMs: number): Standings =>
  record.reduce(
    (all, effect) => (effect.kind === "fault" ? blame(all, effect.verdict.culprit, nowMs) : all),
    health,
  );

/** Judges an accusation in a session of the whole roster. */
export const accusationIn = (
  roster: Members,
  { key, signersExpiresAtMs: expiresAtMs }: Pick<RosterRun, "key" | "signersExpiresAtMs">,
  signer: PartyIndex,
  evidence: Evidence,
): Accused => {
  const parties = [...roster.keys()].sort((a, b) => a - b);
  const judgement = judgeAccusation(roster, { key, expiresAtMs, parties }, signer, evidence);
  const nameOf = (party: PartyIndex): string => idsOf(roster, [party]).join();
  switch (judgement.kind) {
    case "proven": {
      const { verdict } = judgement;
      const record: Effect = { kind: "fault", reporter: signer, session: key, evidence, verdict };
      const why = `${nameOf(verdict.culprit)} deviated from the protocol`;
      return { why, accused: verdict.culprit, record: [record] };
    }
    case "between-two": {
      const other = nameOf(judgement.accused);
      const why = `${nameOf(signer)} says that ${other} cheated in a message that only these two can read`;
      return { why, accused: signer, record: [] };
    }
    case "groundless":
      return { why: `${nameOf(signer)} blamed another signer without proof`, accused: signer, record: [] };
  }
};
