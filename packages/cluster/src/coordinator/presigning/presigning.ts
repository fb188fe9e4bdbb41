import { type Problem, problem } from "@conclave/custody";
import type { Entropy, PartyIndex } from "@conclave/threshold";
import type { AskedOf } from "../../control/command.ts";
import type { SessionReport } from "../../control/report.ts";
import type { SessionKey } from "../../control/session-key.ts";
import { type BegunSession, judgeAccusation } from "../accusation.ts";
import { standingsAfter, standingsAfterPeerFault } from "../after-accusation.ts";
import {
  doubtClock,
  isOfClock,
  learnClock,
  type NamedDeadline,
  nameDeadline,
  type OwnClock,
  timeUpMs,
} from "../clocks.ts";
import type { CoordinatorEffect, PresigningResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { freshSession } from "../fresh-session.ts";
import { behindOthers, type EpochsSaid, hearEpoch, pairsInOtherEpochs } from "../key-epochs.ts";
import { type FirstAnswers, withAnswer, withLags } from "../latency.ts";
import { FINAL_REPORTS_MS } from "../limits.ts";
import { separate } from "../pairs.ts";
import { idsOf, type Members } from "../quorum/choose.ts";
import { failedAlone, silentPairs, type Votes } from "../silence.ts";
import { coolDown, lapse, recover, type Standings, suspect } from "../standings.ts";

export interface PresigningCoordinatorConfig extends OwnClock, AskedOf<"presigning"> {
  readonly roster: Members;
  /** exactly `threshold` signers, ascending */
  readonly quorum: readonly PartyIndex[];
  readonly entropy: Entropy;
  /** PRESIGNING_ATTEMPT_MS by default */
  readonly attemptMs: number;
}

interface Stored {
  readonly id: string;
  readonly expiresAtMs: number;
}

/** Makes one presignature with one quorum, which in the end all of its signers hold, or none. It tries once. */
export interface PresigningCoordinator extends NamedDeadline {
  readonly config: PresigningCoordinatorConfig;
  readonly session: SessionKey;
  readonly deadlineMs: number;
  /** signers with open streams */
  readonly open: ReadonlySet<PartyIndex>;
  /** the time of each signer's first report */
  readonly heard: FirstAnswers;
  readonly stored: ReadonlyMap<PartyIndex, Stored>;
  readonly epochs: EpochsSaid;
  /** for each signer that gave up, the peers that it waited for */
  readonly votes: Votes;
  /** standings for the next coordinator of the process */
  readonly health: Standings;
  readonly isClosed: boolean;
}

type Effect = CoordinatorEffect<PresigningResult>;
export interface PresigningStep {
  readonly state: PresigningCoordinator;
  readonly effects: readonly Effect[];
}

/**
 * Begins to make a presignature.
 *
 * @param known standings of the signers
 * @param nowMs milliseconds of the monotonic clock
 */
export const openPresigningCoordinator = (
  config: PresigningCoordinatorConfig,
  known: { readonly health: Standings },
  nowMs: number,
): PresigningStep => {
  const { quorum, keyId, entropy, attemptMs: forMs } = config;
  const { id, key } = freshSession(entropy);
  const deadline = nameDeadline(known.health, quorum, { nowMs, forMs }, config);
  const deadlineMs = deadline.expiresAtMs + FINAL_REPORTS_MS;
  const command = { kind: "presigning", quorum, keyId, expiresAtMs: deadline.signersExpiresAtMs } as const;
  return {
    state: {
      config,
      session: key,
      ...deadline,
      deadlineMs,
      open: new Set(quorum),
      heard: new Map(),
      stored: new Map(),
      epochs: new Map(),
      votes: new Map(),
      health: known.health,
      isClosed: false,
    },
    effects: [
      ...quorum.map((signer) => ({ kind: "call", signer, session: id, command }) as const),
      { kind: "wake", atMs: deadlineMs },
    ],
  };
};

/** The coordinator's step on one event. */
export const stepPresigningCoordinator = (
  state: PresigningCoordinator,
  event: CoordinatorEvent,
  nowMs: number,
): PresigningStep => {
  if (state.isClosed) return { state, effects: [] };
  switch (event.kind) {
    case "report":
      return isOpen(state, event) ? hear(state, event.signer, event.report, nowMs) : { state, effects: [] };
    case "lost":
      return isOpen(state, event)
        ? lose(ended(state, [event.signer]), [event.signer], nowMs)
        : { state, effects: [] };
    case "live": {
      const live = new Set(event.signers);
      const gone = [...state.open].filter((signer) => !live.has(signer));
      return gone.length === 0 ? { state, effects: [] } : lose(state, gone, nowMs);
    }
    case "tick":
      if (nowMs < state.deadlineMs) return { state, effects: [{ kind: "wake", atMs: state.deadlineMs }] };
      return giveUp(
        state,
        failed(state.votes.size === 0 ? "the deadline passed" : "a signer gave up"),
        judgeSilence(state, nowMs),
      );
    case "stop":
      return giveUp(state, failed("the process stops"), state.health);
    case "key-state":
    case "switched":
    case "unanswered":
    case "refused":
      return { state, effects: [] };
  }
};

const isOpen = (
  { session, open }: PresigningCoordinator,
  event: { readonly signer: PartyIndex; readonly session: SessionKey },
): boolean => session === event.session && open.has(event.signer);

const failed = (reason: string): Problem =>
  problem("ServiceUnavailable", { reason }, `No presignature: ${reason}.`);

/** A signer failed to make its part, so the presignature can never be used, and the coordinator has the other parts burned. */
const giveUp = (state: PresigningCoordinator, why: Problem, health: Standings): PresigningStep => {
  const { open, stored, session, config } = state;
  const ids = [...new Set([...stored.values()].map(({ id }) => id))];
  const discards = ids.length === 0 ? [] : config.quorum;
  return {
    state: { ...state, open: new Set(), health, isClosed: true },
    effects: [
      ...[...open].map((signer): Effect => ({ kind: "cancel", signer, session })),
      ...discards.map((signer): Effect => ({ kind: "discard-presignatures", signer, ids })),
      { kind: "failed", problem: why },
      { kind: "closed" },
    ],
  };
};

const ended = (state: PresigningCoordinator, signers: readonly PartyIndex[]): PresigningCoordinator => {
  const open = new Set(state.open);
  for (const signer of signers) open.delete(signer);
  return { ...state, open };
};

const lose = (state: PresigningCoordinator, gone: readonly PartyIndex[], nowMs: number): PresigningStep => {
  const health = gone.reduce((all, signer) => coolDown(all, signer, nowMs), state.health);
  const names = idsOf(state.config.roster, gone).join(", ");
  return giveUp(state, failed(`${names} ${gone.length === 1 ? "was" : "were"} lost`), health);
};

const hear = (
  state: PresigningCoordinator,
  signer: PartyIndex,
  report: SessionReport,
  nowMs: number,
): PresigningStep => {
  const { config, health } = state;
  if (report.kind === "progress") return takeProgress(state, signer, report, nowMs);
  const left = ended(state, [signer]);
  switch (report.kind) {
    case "presigned":
      return collect(left, signer, report, nowMs);
    case "refusal":
      return giveUp(left, report.problem, standingsAfterRefusal(state, signer, report.problem, nowMs));
    case "fault": {
      const { evidence } = report;
      const { session: key, signersExpiresAtMs: expiresAtMs } = state;
      const { keyId, quorum: parties } = config;
      const begun: BegunSession = { key, expiresAtMs, parties, protocols: ["presigning"], keyId };
      const judgement = judgeAccusation(config.roster, begun, signer, evidence);
      const judged = standingsAfter(health, judgement, config.quorum, [signer, evidence.accused], nowMs);
      if (judgement.kind !== "proven") {
        return giveUp(left, failed("a signer blamed another without proof"), judged);
      }
      const step = giveUp(left, failed("a signer deviated from the protocol"), judged);
      const { verdict } = judgement;
      const record: Effect = { kind: "fault", reporter: signer, session: key, evidence, verdict };
      return { state: step.state, effects: [record, ...step.effects] };
    }
    case "failure":
      return takeFailure(left, signer, report, nowMs);
    default:
      return giveUp(left, failed("a signer answered what was not asked"), lapse(health, signer, nowMs));
  }
};

const standingsAfterRefusal = (
  { config, health }: PresigningCoordinator,
  signer: PartyIndex,
  why: Problem,
  nowMs: number,
): Standings => {
  if (isOfClock(why.code)) return learnClock(health, signer, why, nowMs, config);
  return why.code === "PeerFault"
    ? standingsAfterPeerFault(health, config.quorum, signer, why, nowMs)
    : health;
};

/**
 * Handles progress. Signers in different epochs of the key never receive each other's messages, so the coordinator
 * gives up at once.
 */
const takeProgress = (
  state: PresigningCoordinator,
  signer: PartyIndex,
  { stage, key }: Extract<SessionReport, { readonly kind: "progress" }>,
  nowMs: number,
): PresigningStep => {
  const epochs = key === undefined ? state.epochs : hearEpoch(state.epochs, signer, key, 1);
  const health = withLags(state.health, [signer], state.heard, state.config.quorum.length, nowMs);
  const heard = withAnswer(state.heard, signer, nowMs);
  const progress: Effect = { kind: "progress", signer, stage };
  const pairs = pairsInOtherEpochs(epochs);
  if (pairs.length === 0) return { state: { ...state, epochs, heard, health }, effects: [progress] };
  const behind = behindOthers(epochs).map((each): Effect => ({ kind: "behind", ...each }));
  const why = failed("its signers are in different epochs of the key");
  const step = giveUp(state, why, separate(state.health, pairs, nowMs));
  return { state: step.state, effects: [progress, ...behind, ...step.effects] };
};

/**
 * Handles a signer that gave up. The coordinator waits for the other reports: a signer may hold proof against the first
 * one to give up, and the reports show which signers waited first.
 */
const takeFailure = (
  state: PresigningCoordinator,
  signer: PartyIndex,
  { reason, silent: named, phase = 0 }: Extract<SessionReport, { readonly kind: "failure" }>,
  nowMs: number,
): PresigningStep => {
  const silent = named.filter((peer) => peer !== signer && state.config.quorum.includes(peer));
  // a signer may still check a message that came just before the deadline; earlier, the failure is its own
  const isLapse = silent.length === 0 && nowMs < timeUpMs(state, state.config.attemptMs);
  const health = isLapse ? lapse(state.health, signer, nowMs) : state.health;
  const votes: Votes = new Map(state.votes).set(signer, { silent, phase });
  const deadlineMs = Math.min(state.deadlineMs, nowMs + FINAL_REPORTS_MS);
  const next = { ...state, health, votes, deadlineMs };
  return next.open.size > 0
    ? { state: next, effects: [{ kind: "wake", atMs: deadlineMs }] }
    : giveUp(next, failed(reason), judgeSilence(next, nowMs));
};

const judgeSilence = (
  { config, health, votes, open, ...times }: PresigningCoordinator,
  nowMs: number,
): Standings => {
  if (failedAlone(votes) && nowMs < timeUpMs(times, config.attemptMs)) return health;
  const doubted = doubtClock(health, { ...times, quorum: config.quorum }, nowMs);
  if (doubted !== undefined) return doubted;
  const suspected = suspect(health, config.quorum, nowMs);
  // no peer waited for them: they failed only to report to the coordinator
  const mute = votes.size === 0 ? [...open] : [];
  const rested = mute.reduce((all, peer) => coolDown(all, peer, nowMs), suspected);
  return separate(rested, silentPairs(votes), nowMs);
};

/** Collects a signer's part. The presignature may be announced only once every signer has stored it, under one id. */
const collect = (
  state: PresigningCoordinator,
  signer: PartyIndex,
  { id, expiresAtMs }: Stored,
  nowMs: number,
): PresigningStep => {
  const stored = new Map(state.stored).set(signer, { id, expiresAtMs });
  const next = { ...state, stored };
  const all = [...stored.values()];
  if (all.some((each) => each.id !== id)) {
    return giveUp(
      next,
      failed("the signers name it differently"),
      suspect(state.health, [...stored.keys()], nowMs),
    );
  }
  if (next.open.size > 0) return { state: next, effects: [] };
  if (next.votes.size > 0) return giveUp(next, failed("a signer gave up"), judgeSilence(next, nowMs));
  const { keyId, quorum } = state.config;
  const result = {
    id,
    keyId,
    signers: quorum,
    expiresAtMs: Math.min(...all.map((each) => each.expiresAtMs)),
  };
  return {
    state: { ...next, health: recover(state.health, quorum, nowMs), isClosed: true },
    effects: [{ kind: "done", result }, { kind: "closed" }],
  };
};
