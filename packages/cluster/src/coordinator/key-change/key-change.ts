import { type Problem, problem } from "@conclave/custody";
import type { Entropy, IdentityRoster, PartyIndex } from "@conclave/threshold";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { KeyChange } from "../../control/command.ts";
import { certify, readCertificate, withHandovers } from "../../control/epoch-certificate.ts";
import { isHandoverOf, readHandover } from "../../control/epoch-handover.ts";
import type { SessionReport } from "../../control/report.ts";
import { keyHolders } from "../../control/roster-member.ts";
import type { SessionKey } from "../../control/session-key.ts";
import {
  type CertifiedEpoch,
  type HeldEpoch,
  latestCertified,
  NO_RECEIPTS,
  nextEpochOf,
  type Receipts,
  withReceipt,
} from "../certified.ts";
import { clockNotes, isOfClock, learnClock, type OwnClock } from "../clocks.ts";
import type { CoordinatorEffect, KeyChangeResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { ASK_AGAIN_MS } from "../limits.ts";
import { idsOf, type Members } from "../quorum/choose.ts";
import { isOfLife, mayPass } from "../refusal.ts";
import { beginOnAll, cancelOpen, misfortuneOf, openBut, type RosterRun, unavailable } from "../roster-run.ts";
import type { Standings } from "../standings.ts";
import { afterAnswer, type HandoverRound, isOver, nextRound, openRound } from "./handover-round.ts";

export interface KeyChangeConfig extends OwnClock {
  readonly roster: Members;
  /** the identities of the cluster at earlier times, the latest first */
  readonly past?: readonly IdentityRoster[];
  /** signers that deal and get no share of the new epoch */
  readonly released?: readonly PartyIndex[];
  readonly keyId: string;
  /** the epoch that is to change */
  readonly epoch: number;
  /** the command for every signer, authorised for the number of the new epoch */
  readonly change: (nextEpoch: number) => KeyChange;
  readonly entropy: Entropy;
  /** KEY_CHANGE_ATTEMPT_MS by default */
  readonly attemptMs: number;
}

interface Run extends RosterRun {
  readonly nextEpoch: number;
  readonly receipts: Receipts;
}

/**
 * The phase of a change. Until every signer has signed a receipt for its new share, no signer gives up the old epoch;
 * new shares stay pending, and a later attempt has a higher number. With all receipts there is a certificate, and from
 * then on the coordinator only shows it: where the holders change, it shows it again with the handovers that signers
 * answer.
 */
type Phase =
  | { readonly kind: "running"; readonly run: Run }
  | {
      readonly kind: "switching";
      readonly to: CertifiedEpoch;
      readonly left: ReadonlySet<PartyIndex>;
      readonly round: HandoverRound;
      readonly lacking: readonly PartyIndex[];
    }
  | { readonly kind: "closed" };

/** Brings one key to a next epoch on all signers, or leaves it as it is. */
export interface KeyChangeCoordinator {
  readonly config: KeyChangeConfig;
  readonly live: ReadonlySet<PartyIndex>;
  readonly phase: Phase;
  readonly waitingFor: string | undefined;
  /** standings of signers */
  readonly health: Standings;
  /** whether it began again because of a signer's clock, which it does once */
  readonly isRetimed: boolean;
  /** signers that reported another life than the command named; the coordinator began again once for each */
  readonly renamed: ReadonlySet<PartyIndex>;
}

type Effect = CoordinatorEffect<KeyChangeResult>;
export interface KeyChangeStep {
  readonly state: KeyChangeCoordinator;
  readonly effects: readonly Effect[];
}

/** The knowledge with which a change of a key begins. */
export interface KnownEpochs {
  readonly live: readonly PartyIndex[];
  /** the epochs of the key that each live signer reported */
  readonly held: ReadonlyMap<PartyIndex, HeldEpoch>;
  /** answers of the signers that were asked for the certificate of their epoch */
  readonly certificates: readonly Uint8Array[];
  /** standings of signers, from an earlier coordinator */
  readonly health?: Standings;
}

/**
 * Starts a change, or finishes one of an earlier coordinator: if an epoch above the current one has a certificate, or
 * all signers hold it alike, the coordinator brings it to all of them and begins nothing else. It also begins nothing
 * when all have already switched. The caller ensures that only one coordinator of a key runs at a time.
 *
 * @param nowMs milliseconds of the monotonic clock
 * @returns "failed" with SignersUnavailable at once, and nothing begun, unless every signer answers
 */
export const openKeyChangeCoordinator = (
  config: KeyChangeConfig,
  known: KnownEpochs,
  nowMs: number,
): KeyChangeStep => {
  const { roster, keyId, epoch } = config;
  const state: KeyChangeCoordinator = {
    config,
    live: new Set(known.live),
    phase: { kind: "closed" },
    waitingFor: undefined,
    health: known.health ?? new Map(),
    isRetimed: false,
    renamed: new Set(),
  };
  const left = latestCertified(roster, keyId, known.held, known.certificates, config.past);
  if (left !== undefined && left.epoch > epoch) return switchTo(state, left, nowMs);
  const holders = keyHolders(roster);
  const epochs = new Set(holders.map((signer) => known.held.get(signer)?.epoch ?? 0));
  const [now = 0] = epochs;
  if (epochs.size === 1 && now > epoch) {
    return close(state, [{ kind: "done", result: { keyId, epoch: now, lacking: [] } }]);
  }
  const absent = [...participants(config).keys()].filter(
    (signer) => !state.live.has(signer) || !known.held.has(signer),
  );
  if (absent.length > 0) return fail(state, [], unavailable(roster, absent));
  return begin(state, nextEpochOf(epoch, [...known.held.values()]), nowMs);
};

/** The coordinator's step on one event. */
export const stepKeyChangeCoordinator = (
  state: KeyChangeCoordinator,
  event: CoordinatorEvent,
  nowMs: number,
): KeyChangeStep => {
  if (state.phase.kind === "closed") return unchanged(state);
  switch (event.kind) {
    case "report":
      return hear(state, event.signer, event.session, event.report, nowMs);
    case "lost":
      return runOf(state, event) === undefined
        ? unchanged(state)
        : abandon(state, [event.signer], unavailable(state.config.roster, [event.signer]));
    case "live":
      return again({ ...state, live: new Set(event.signers) }, nowMs);
    case "switched":
      return event.keyId === state.config.keyId ? switched(state, event) : unchanged(state);
    case "refused":
      if (event.keyId !== state.config.keyId) return askLater(state, nowMs);
      return mayPass(event.problem.code)
        ? showOn(heardNothing(state, event.signer, nowMs))
        : showOn(answered(heardNothing(state, event.signer, nowMs).state, event.signer, 0));
    case "key-state":
      return unchanged(state);
    case "unanswered":
      return showOn(heardNothing(state, event.signer, nowMs));
    case "tick":
      return tick(state, nowMs);
    case "stop":
      return close(state, cancelAll(state, []));
  }
};

/** The signers that take part in the session: the new holders, and dealers that will not hold the key. */
const participants = ({ roster, released = [] }: KeyChangeConfig): Members => {
  const holders = keyHolders(roster);
  return new Map([...roster].filter(([signer]) => holders.includes(signer) || released.includes(signer)));
};

const unchanged = (state: KeyChangeCoordinator): KeyChangeStep => ({ state, effects: [] });

const askLater = (state: KeyChangeCoordinator, nowMs: number): KeyChangeStep => ({
  state,
  effects: state.phase.kind === "running" ? [] : [{ kind: "wake", atMs: nowMs + ASK_AGAIN_MS }],
});

const close = (state: KeyChangeCoordinator, effects: readonly Effect[]): KeyChangeStep => ({
  state: { ...state, phase: { kind: "closed" } },
  effects: [...effects, { kind: "closed" }],
});

const fail = (state: KeyChangeCoordinator, before: readonly Effect[], reason: Problem): KeyChangeStep =>
  close(state, [...before, { kind: "failed", problem: reason }]);

const runOf = (
  { phase }: KeyChangeCoordinator,
  { signer, session }: { readonly signer: PartyIndex; readonly session: SessionKey },
): Run | undefined => {
  if (phase.kind !== "running") return undefined;
  return phase.run.key === session && phase.run.open.has(signer) ? phase.run : undefined;
};

const begin = (state: KeyChangeCoordinator, nextEpoch: number, nowMs: number): KeyChangeStep => {
  const change = state.config.change(nextEpoch);
  const { config, health } = state;
  const { run, effects } = beginOnAll(
    { ...config, roster: participants(config) },
    (_, expiresAtMs) => ({ ...change, expiresAtMs }),
    health,
    nowMs,
  );
  const begun: Run = { ...run, nextEpoch, receipts: NO_RECEIPTS };
  return { state: { ...state, phase: { kind: "running", run: begun } }, effects };
};

const cancelAll = ({ phase }: KeyChangeCoordinator, ended: readonly PartyIndex[]): readonly Effect[] =>
  phase.kind === "running" ? cancelOpen(phase.run, ended) : [];

/** The run failed. Shares that some signers made in it stay pending and unused: the epoch is unchanged. */
const abandon = (state: KeyChangeCoordinator, ended: readonly PartyIndex[], reason: Problem): KeyChangeStep =>
  fail(state, cancelAll(state, ended), reason);

const switchTo = (state: KeyChangeCoordinator, to: CertifiedEpoch, nowMs: number): KeyChangeStep => {
  const left = new Set(keyHolders(state.config.roster));
  const leaving = leavingOf(state.config);
  const phase: Switching = { kind: "switching", to, left, round: openRound(leaving), lacking: [] };
  const next = again({ ...state, phase }, nowMs);
  return { state: next.state, effects: [...shows(state.config, phase, leaving), ...next.effects] };
};

/** The signers that leave: they hand the key over and delete their shares, and the coordinator does not wait for that. */
const leavingOf = ({ roster }: KeyChangeConfig): readonly PartyIndex[] => {
  const holders = keyHolders(roster);
  return [...roster.keys()].filter((signer) => !holders.includes(signer));
};

/**
 * Shows the certificate to the remaining signers, whether they are reported live or not, as only an answer is certain.
 * Also reports which signers the key waits for.
 */
const again = (state: KeyChangeCoordinator, nowMs: number): KeyChangeStep => {
  const { phase, config, live } = state;
  if (phase.kind !== "switching") return unchanged(state);
  const { roster } = config;
  const shown = new Set([...phase.left, ...phase.round.waiting]);
  const round = nextRound(phase.round, new Set([...phase.round.asked, ...shown]));
  const next: KeyChangeCoordinator = { ...state, phase: { ...phase, round } };
  const effects: readonly Effect[] = [
    ...shows(config, phase, shown),
    { kind: "wake", atMs: nowMs + ASK_AGAIN_MS },
  ];
  const missing = [...phase.left].filter((signer) => !live.has(signer));
  const reason = `waiting for ${idsOf(roster, missing).join(", ")} to activate the key's new epoch`;
  if (missing.length === 0 || reason === state.waitingFor) return { state: next, effects };
  const waiting: Effect = { kind: "waiting", reason, unavailable: missing };
  return { state: { ...next, waitingFor: reason }, effects: [waiting, ...effects] };
};

type Switching = Extract<Phase, { readonly kind: "switching" }>;

/** Shows the certificate to each of these signers, with all handovers so far if some wait for them. */
const shows = (
  config: KeyChangeConfig,
  { to, round }: Switching,
  signers: Iterable<PartyIndex>,
): readonly Effect[] => {
  const { keyId } = config;
  const certificate =
    round.waiting.size === 0
      ? to.certificate
      : withHandovers(to.certificate, soundHandovers(config, to, round.handovers));
  return [...signers].map((signer): Effect => ({ kind: "switch", signer, keyId, certificate }));
};

/** The handovers with valid signatures: signers reject a certificate with any other. */
const soundHandovers = (
  { roster, past }: KeyChangeConfig,
  { certificate }: CertifiedEpoch,
  handovers: HandoverRound["handovers"],
): HandoverRound["handovers"] => {
  const read = readCertificate(roster, certificate, { past });
  if (read === undefined) return new Map();
  return new Map([...handovers].filter(([, handover]) => isHandoverOf(roster, read, handover)));
};

/** Handles a signer's answer to the certificate. */
const switched = (
  state: KeyChangeCoordinator,
  { signer, epoch, handover: given, isWaiting }: Extract<CoordinatorEvent, { readonly kind: "switched" }>,
): KeyChangeStep => {
  const { phase } = state;
  if (phase.kind !== "switching") return unchanged(state);
  const read = given && readHandover(given);
  const handover = read?.signer === signer ? read : undefined;
  const round = afterAnswer(phase.round, signer, { handover, isWaiting });
  const next: KeyChangeCoordinator = { ...state, phase: { ...phase, round } };
  return showOn(isWaiting === true ? unchanged(next) : answered(next, signer, epoch));
};

/** Handles a signer's missing or negative answer. */
const heardNothing = (state: KeyChangeCoordinator, signer: PartyIndex, nowMs: number): KeyChangeStep => {
  const { phase } = state;
  if (phase.kind !== "switching") return askLater(state, nowMs);
  const round = afterAnswer(phase.round, signer, { isWaiting: phase.round.waiting.has(signer) });
  return askLater({ ...state, phase: { ...phase, round } }, nowMs);
};

/** Once all have answered, shows the certificate with all handovers to those that wait. */
const showOn = (step: KeyChangeStep): KeyChangeStep => {
  const { phase, config } = step.state;
  if (phase.kind !== "switching" || !isOver(phase.round)) return step;
  const { waiting } = phase.round;
  const round = nextRound(phase.round, waiting);
  return {
    state: { ...step.state, phase: { ...phase, round } },
    effects: [...step.effects, ...shows(config, phase, waiting)],
  };
};

const hear = (
  state: KeyChangeCoordinator,
  signer: PartyIndex,
  session: SessionKey,
  report: SessionReport,
  nowMs: number,
): KeyChangeStep => {
  const run = runOf(state, { signer, session });
  if (run === undefined) return unchanged(state);
  const [id] = idsOf(state.config.roster, [signer]);
  const failed = (details: Readonly<Record<string, unknown>>): KeyChangeStep =>
    abandon(state, [signer], problem("KeyChangeFailed", details));
  switch (report.kind) {
    case "progress":
      return { state, effects: [{ kind: "progress", signer, stage: report.stage }] };
    case "key-changed": {
      const { keyId, epoch } = state.config;
      const isOurs = report.keyId === keyId && report.from === epoch && report.epoch === run.nextEpoch;
      return isOurs
        ? collect(state, run, signer, report, nowMs)
        : failed({ reason: "a signer changed another key", signer: id });
    }
    case "refusal": {
      const { problem: refusal } = report;
      if (isOfLife(refusal.code) && !state.renamed.has(signer)) {
        return beginAgain({ ...state, renamed: new Set(state.renamed).add(signer) }, run, signer, nowMs);
      }
      if (!isOfClock(refusal.code)) return abandon(state, [signer], refusal);
      if (!state.isRetimed) return retime(state, run, signer, refusal, nowMs);
      const clocks = clockNotes(state.config.roster, state.health, nowMs);
      const details = { ...refusal.details, signer: id, clocks };
      return abandon(state, [signer], problem(refusal.code, details, refusal.message));
    }
    case "fault":
    case "failure": {
      const parties = participants(state.config);
      const { reason, record } = misfortuneOf(parties, run, signer, report, "KeyChangeFailed");
      const next = abandon(state, [signer], reason);
      return { state: next.state, effects: [...record, ...next.effects] };
    }
    default:
      return failed({ reason: "a signer answered what was not asked", signer: id });
  }
};

/** A signer refused because of a clock alone: the next attempt has a deadline by the clock that it reported. */
const retime = (
  state: KeyChangeCoordinator,
  run: Run,
  signer: PartyIndex,
  reported: Problem,
  nowMs: number,
): KeyChangeStep => {
  const health = learnClock(state.health, signer, reported, nowMs, state.config);
  return beginAgain({ ...state, health, isRetimed: true }, run, signer, nowMs);
};

/** Begins another attempt at once, under the next number. */
const beginAgain = (
  state: KeyChangeCoordinator,
  { nextEpoch }: Run,
  refusing: PartyIndex,
  nowMs: number,
): KeyChangeStep => {
  const next = begin(state, nextEpoch + 1, nowMs);
  return { state: next.state, effects: [...cancelAll(state, [refusing]), ...next.effects] };
};

/**
 * Collects a receipt. The new epoch is valid once every signer has signed that it holds its share durably, with the
 * same public data.
 */
const collect = (
  state: KeyChangeCoordinator,
  run: Run,
  signer: PartyIndex,
  { from, epoch, digest, receipt }: Extract<SessionReport, { readonly kind: "key-changed" }>,
  nowMs: number,
): KeyChangeStep => {
  const { roster, keyId } = state.config;
  if (!keyHolders(roster).includes(signer)) {
    return unchanged({ ...state, phase: { kind: "running", run: { ...run, open: openBut(run, signer) } } });
  }
  const session = hexToBytes(run.key);
  const said = { subject: keyId, from, to: epoch, digest, session, holders: keyHolders(roster) };
  const receipts = withReceipt(roster, run.receipts, signer, said, receipt);
  if (receipts === "invalid" || receipts === "different") {
    const [id] = idsOf(roster, [signer]);
    const reason =
      receipts === "invalid" ? "a signer's receipt is not signed by it" : "the signers hold different shares";
    return abandon(state, [signer], problem("KeyChangeFailed", { reason, signer: id }));
  }
  const open = openBut(run, signer);
  const next: KeyChangeCoordinator = {
    ...state,
    phase: { kind: "running", run: { ...run, receipts, open } },
  };
  const certificate = certify(roster, said, receipts.given);
  return certificate === undefined ? unchanged(next) : switchTo(next, { epoch, digest, certificate }, nowMs);
};

/** @param epoch of the answering signer's active share, 0 when it has none */
const answered = (state: KeyChangeCoordinator, signer: PartyIndex, epoch: number): KeyChangeStep => {
  const { phase } = state;
  if (phase.kind !== "switching" || !phase.left.has(signer)) return unchanged(state);
  const left = new Set(phase.left);
  left.delete(signer);
  const lacking = epoch >= phase.to.epoch ? phase.lacking : [...phase.lacking, signer];
  if (left.size > 0) return unchanged({ ...state, phase: { ...phase, left, lacking } });
  return conclude(state, phase.to.epoch, lacking);
};

/**
 * All signers were asked. The result names signers that lost the share for which they gave a receipt; the others cannot
 * go back to the old epoch.
 */
const conclude = (
  state: KeyChangeCoordinator,
  epoch: number,
  lacking: readonly PartyIndex[],
): KeyChangeStep => {
  const { roster, keyId } = state.config;
  if (lacking.length === keyHolders(roster).length) {
    const reason = "no signer holds a share of the new epoch";
    return fail(state, [], problem("KeyChangeFailed", { reason }));
  }
  return close(state, [{ kind: "done", result: { keyId, epoch, lacking } }]);
};

const tick = (state: KeyChangeCoordinator, nowMs: number): KeyChangeStep => {
  const { phase } = state;
  if (phase.kind !== "running") return again(state, nowMs);
  const { deadlineMs, open } = phase.run;
  if (nowMs < deadlineMs) return { state, effects: [{ kind: "wake", atMs: deadlineMs }] };
  return abandon(state, [], unavailable(state.config.roster, [...open]));
};
