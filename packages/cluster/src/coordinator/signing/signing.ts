import type { Problem, SchemeSignature, SigningScheme } from "@conclave/custody";
import type { Entropy, Evidence, PartyIndex } from "@conclave/threshold";
import type { AskedOf, CommandOf } from "../../control/command.ts";
import type { SessionReport } from "../../control/report.ts";
import { judgeAccusation } from "../accusation.ts";
import { standingsAfter, standingsAfterPeerFault } from "../after-accusation.ts";
import { doubtClock, isOfClock, learnClock, nameDeadline, type OwnClock, timeUpMs } from "../clocks.ts";
import type { CoordinatorEffect, SigningPath, SigningResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { freshSession } from "../fresh-session.ts";
import { behindOthers, hearEpoch, pairsInOtherEpochs } from "../key-epochs.ts";
import { withAnswer, withLags } from "../latency.ts";
import {
  ATTEMPTS_IN_ROW_MAX,
  FINAL_REPORTS_MS,
  PAUSE_MS,
  PAUSE_MS_MAX,
  POOLED_ATTEMPT_MS,
} from "../limits.ts";
import { separate } from "../pairs.ts";
import { choosePresignatures, isFresh, type ReadyPresignature } from "../presigning/inventory.ts";
import {
  absentFrom,
  type Candidates,
  chooseQuorum,
  isUnpreferred,
  type Members,
  nextReturn,
  whyNoQuorum,
} from "../quorum/choose.ts";
import { isOfLife, isOfPresignature, mayPass, whyRefused } from "../refusal.ts";
import { failedAlone, silentPairs, type Votes } from "../silence.ts";
import { coolDown, lapse, recover, type Standings, suspect } from "../standings.ts";
import { begunOf, cancelOf, isOfAttempt, type SigningAttempt, withoutSigner } from "./attempt.ts";
import { hedgeAtMs, holdUp, sparing } from "./hedge.ts";

export interface SigningCoordinatorConfig extends OwnClock, AskedOf<"signing"> {
  readonly roster: Members;
  readonly threshold: number;
  /** schemes of the signables of this part, in their order */
  readonly schemes: readonly SigningScheme[];
  /** whether these signatures, in the order of the signables, are valid: a signer may lie */
  readonly verify: (signatures: readonly SchemeSignature[]) => boolean;
  /** for session ids, and for random choices among equal signers */
  readonly entropy: Entropy;
  /** time for an attempt without presignatures of the pool, in milliseconds */
  readonly attemptMs: number;
}

/** Gets one command signed: it tries one quorum after another until one succeeds. */
export interface SigningCoordinator {
  readonly config: SigningCoordinatorConfig;
  readonly live: ReadonlySet<PartyIndex>;
  /** standings for the next coordinator of the process */
  readonly health: Standings;
  readonly refusals: ReadonlyMap<PartyIndex, Problem>;
  /** presignatures of the pool that were not tried yet; another request may use those that are left at the end */
  readonly presignatures: readonly ReadyPresignature[];
  readonly attempt: SigningAttempt | undefined;
  /** an attempt that a slow signer holds up, while another runs beside it: at most once for a request */
  readonly slow: SigningAttempt | undefined;
  readonly isHedged: boolean;
  /** signers that refused once because their lives were other than named; the next session names the right ones */
  readonly renamed: ReadonlySet<PartyIndex>;
  readonly attempts: number;
  /** interactive attempts since the last pause */
  readonly attemptsInRow: number;
  readonly pauses: number;
  readonly resumeAtMs: number;
  readonly waitingFor: string | undefined;
  readonly isClosed: boolean;
}

type Effect = CoordinatorEffect<SigningResult>;
export interface SigningStep {
  readonly state: SigningCoordinator;
  readonly effects: readonly Effect[];
}

/**
 * Starts to get a transaction, or the content of an authorisation, signed: begins the first session at once when a
 * quorum is live.
 *
 * @param known the live signers, the standings (from an earlier coordinator, or an empty map), and presignatures that
 * only this coordinator uses, best first
 * @param nowMs milliseconds of the monotonic clock
 */
export const openSigningCoordinator = (
  config: SigningCoordinatorConfig,
  known: {
    readonly live: readonly PartyIndex[];
    readonly health: Standings;
    readonly presignatures?: readonly ReadyPresignature[];
  },
  nowMs: number,
): SigningStep => {
  const state: SigningCoordinator = {
    config,
    live: new Set(known.live),
    health: known.health,
    refusals: new Map(),
    presignatures: known.presignatures ?? [],
    attempt: undefined,
    slow: undefined,
    isHedged: false,
    renamed: new Set(),
    attempts: 0,
    attemptsInRow: 0,
    pauses: 0,
    resumeAtMs: 0,
    waitingFor: undefined,
    isClosed: false,
  };
  return proceed(state, nowMs);
};

/** The coordinator's step on one event. Events of sessions that are over have no effect. */
export const stepSigningCoordinator = (
  state: SigningCoordinator,
  event: CoordinatorEvent,
  nowMs: number,
): SigningStep => {
  if (state.isClosed) return { state, effects: [] };
  switch (event.kind) {
    case "report":
      if (isOfAttempt(state.slow, event))
        return hearSlow(state, state.slow, event.signer, event.report, nowMs);
      return isOfAttempt(state.attempt, event)
        ? hear(state, event.signer, event.report, nowMs)
        : { state, effects: [] };
    case "lost":
      if (isOfAttempt(state.slow, event))
        return { state: { ...state, slow: withoutSigner(state.slow, event.signer) }, effects: [] };
      return isOfAttempt(state.attempt, event)
        ? failOver(state, [event.signer], coolDown(state.health, event.signer, nowMs), nowMs)
        : { state, effects: [] };
    case "live":
      return hearWhoLives({ ...state, live: new Set(event.signers) }, event.apart ?? [], nowMs);
    case "tick":
      return tick(state, nowMs);
    case "stop":
      return close(state, cancelAll(state, []));
    case "key-state":
    case "switched":
    case "unanswered":
    case "refused":
      return { state, effects: [] };
  }
};

/**
 * Handles a change of the live signers. A hung process keeps its stream open without reports, so the attempt does not
 * wait for its deadline. A signer that is apart, because it switched to new auxiliary information before others, still
 * reports by itself.
 */
const hearWhoLives = (
  state: SigningCoordinator,
  apart: readonly PartyIndex[],
  nowMs: number,
): SigningStep => {
  const open = [...(state.attempt?.open ?? [])];
  const gone = open.filter((signer) => !state.live.has(signer) && !apart.includes(signer));
  if (gone.length === 0) return proceed(state, nowMs);
  const health = gone.reduce((all, signer) => coolDown(all, signer, nowMs), state.health);
  return failOver(state, [], health, nowMs);
};

const close = (state: SigningCoordinator, effects: readonly Effect[]): SigningStep => ({
  state: { ...state, attempt: undefined, slow: undefined, isClosed: true },
  effects: [...effects, { kind: "closed" }],
});

/** Cancels all sessions of the request. */
const cancelAll = (
  { attempt, slow }: SigningCoordinator,
  ended: readonly PartyIndex[],
): readonly Effect[] => [...cancelOf(attempt, ended), ...cancelOf(slow, [])];

const candidatesOf = ({ config, live, health, refusals }: SigningCoordinator): Candidates => ({
  roster: config.roster,
  live,
  health,
  refused: new Set(refusals.keys()),
});

const freshOf = (
  { unixAheadMs }: OwnClock,
  presignatures: readonly ReadyPresignature[],
  nowMs: number,
): readonly ReadyPresignature[] => presignatures.filter((each) => isFresh(each, nowMs + unixAheadMs()));

/** Begins a session when none runs and there is a quorum; otherwise reports why not. */
const proceed = (state: SigningCoordinator, nowMs: number): SigningStep => {
  const { config, refusals } = state;
  if (state.attempt !== undefined) return { state, effects: [] };
  const reason = whyRefused([...refusals.values()], config.roster.size - config.threshold);
  if (reason !== undefined) return close(state, [{ kind: "failed", problem: reason }]);
  if (nowMs < state.resumeAtMs) {
    const why = `pausing after ${state.attempts} attempts that failed`;
    return wait(state, why, state.resumeAtMs);
  }
  const candidates = candidatesOf(state);
  const fresh = freshOf(config, state.presignatures, nowMs);
  const pooled = choosePresignatures(candidates, config.keyId, fresh, ecdsaOf(config), nowMs);
  const isPooledUnpreferred = pooled !== undefined && isUnpreferred(state.health, pooled[0].signers, nowMs);
  if (pooled !== undefined && !isPooledUnpreferred) return attemptPooled(state, pooled, nowMs);
  const quorum = chooseQuorum(candidates, config.threshold, config.entropy, nowMs);
  if (quorum !== undefined) {
    // every quorum has something against it: the one with presignatures is tried first
    if (pooled !== undefined && isUnpreferred(state.health, quorum, nowMs)) {
      return attemptPooled(state, pooled, nowMs);
    }
    const inRow = { ...state, attemptsInRow: state.attemptsInRow + 1 };
    return attempt(inRow, { quorum, path: { kind: "interactive" } }, nowMs);
  }
  return wait(state, whyNoQuorum(candidates, config.threshold, nowMs), nextReturn(candidates, nowMs));
};

const wait = (state: SigningCoordinator, reason: string, untilMs: number | undefined): SigningStep => {
  const unavailable = absentFrom(state.config.roster, state.live);
  const effects: Effect[] = state.waitingFor === reason ? [] : [{ kind: "waiting", reason, unavailable }];
  if (untilMs !== undefined) effects.push({ kind: "wake", atMs: untilMs });
  return { state: { ...state, waitingFor: reason }, effects };
};

interface Plan {
  readonly quorum: readonly PartyIndex[];
  readonly path: SigningPath;
}

/** How long the signers may take, in milliseconds. */
const patienceOf = (
  { attemptMs }: SigningCoordinatorConfig,
  { path }: Pick<SigningAttempt, "path">,
): number => (path.kind === "pooled" ? POOLED_ATTEMPT_MS : attemptMs);

/** Begins an attempt with presignatures. The coordinator never tries these again, whatever the outcome (INV-2). */
const attemptPooled = (
  state: SigningCoordinator,
  chosen: readonly [ReadyPresignature, ...ReadyPresignature[]],
  nowMs: number,
): SigningStep => {
  const ids = chosen.map(({ id }) => id);
  const left = { ...state, presignatures: state.presignatures.filter(({ id }) => !ids.includes(id)) };
  const [{ signers }] = chosen;
  const path = { kind: "pooled", presignatures: ids } as const;
  return attempt(left, { quorum: signers, path }, nowMs);
};

/** The number of signables that take a presignature. */
const ecdsaOf = ({ schemes }: SigningCoordinatorConfig): number =>
  schemes.filter((scheme) => scheme === "CGGMP24").length;

/** The command to each signer of an attempt. */
const commandOf = (
  { keyId, authorisation, unsigned, part, dead }: SigningCoordinatorConfig,
  { quorum, path }: Plan,
  expiresAtMs: number,
): CommandOf<"signing"> => {
  const presignatures = path.kind === "pooled" ? path.presignatures : [];
  return { kind: "signing", quorum, keyId, authorisation, unsigned, presignatures, part, dead, expiresAtMs };
};

/** Each attempt is a fresh session: it uses nothing of an earlier one (INV-2). */
const attempt = (state: SigningCoordinator, plan: Plan, nowMs: number): SigningStep => {
  const { quorum, path } = plan;
  const { id, key } = freshSession(state.config.entropy);
  const forMs = patienceOf(state.config, plan);
  const deadline = nameDeadline(state.health, quorum, { nowMs, forMs }, state.config);
  const deadlineMs = deadline.expiresAtMs + FINAL_REPORTS_MS;
  const lookAtMs = hedgeAtMs({ path, isHedged: state.isHedged }, nowMs);
  const command = commandOf(state.config, plan, deadline.signersExpiresAtMs);
  const open = new Set(quorum);
  const unheard = { open, heard: new Map(), epochs: new Map(), votes: new Map() };
  return {
    state: {
      ...state,
      attempt: { key, id, quorum, path, ...deadline, deadlineMs, lookAtMs, ...unheard },
      attempts: state.attempts + 1,
      waitingFor: undefined,
    },
    effects: [
      ...quorum.map((signer) => ({ kind: "call", signer, session: id, command }) as const),
      { kind: "wake", atMs: lookAtMs ?? deadlineMs },
    ],
  };
};

/**
 * Ends an attempt without a signature: cancels the remaining streams, and begins the next attempt at once, with the new
 * standings.
 */
const failOver = (
  state: SigningCoordinator,
  ended: readonly PartyIndex[],
  health: Standings,
  nowMs: number,
): SigningStep => {
  const isTired = state.attemptsInRow >= ATTEMPTS_IN_ROW_MAX;
  const pauseMs = Math.min(PAUSE_MS * 2 ** state.pauses, PAUSE_MS_MAX);
  const rested = isTired
    ? { attemptsInRow: 0, pauses: state.pauses + 1, resumeAtMs: nowMs + pauseMs }
    : { resumeAtMs: 0 };
  const next = proceed({ ...state, ...rested, health, attempt: undefined }, nowMs);
  return { state: next.state, effects: [...cancelOf(state.attempt, ended), ...next.effects] };
};

const hear = (
  state: SigningCoordinator,
  signer: PartyIndex,
  report: SessionReport,
  nowMs: number,
): SigningStep => {
  const { attempt: current, health } = state;
  if (current === undefined) return { state, effects: [] };
  switch (report.kind) {
    case "progress":
      return takeProgress(state, current, signer, report, nowMs);
    case "signed":
      return take(state, current, signer, report, nowMs);
    case "refusal":
      return takeRefusal(state, current, signer, report.problem, nowMs);
    case "fault":
      return takeAccusation(state, current, signer, report.evidence, nowMs);
    case "failure":
      return takeFailure(state, current, signer, report, nowMs);
    default:
      return failOver(state, [signer], lapse(health, signer, nowMs), nowMs); // the report does not answer the command
  }
};

/**
 * Handles progress. Signers in different epochs of a key never receive each other's messages, so the coordinator does
 * not wait until they give up.
 */
const takeProgress = (
  state: SigningCoordinator,
  current: SigningAttempt,
  signer: PartyIndex,
  { stage, key }: Extract<SessionReport, { readonly kind: "progress" }>,
  nowMs: number,
): SigningStep => {
  const health = withLags(state.health, [signer], current.heard, current.quorum.length, nowMs);
  const heard = withAnswer(current.heard, signer, nowMs);
  const keysMax = state.config.schemes.length;
  const epochs = key === undefined ? current.epochs : hearEpoch(current.epochs, signer, key, keysMax);
  const progress: Effect = { kind: "progress", signer, stage };
  const next = { ...state, health, attempt: { ...current, heard, epochs } };
  const pairs = pairsInOtherEpochs(epochs);
  if (pairs.length === 0) return { state: next, effects: [progress] };
  const behind = behindOthers(epochs).map((each): Effect => ({ kind: "behind", ...each }));
  const step = failOver(next, [], separate(state.health, pairs, nowMs), nowMs);
  return { state: step.state, effects: [progress, ...behind, ...step.effects] };
};

/**
 * Judges an accusation. Only evidence that anybody can verify blames a signer; otherwise the two that contradict each
 * other are kept apart.
 */
const judgeFault = (
  { health, config }: SigningCoordinator,
  of: SigningAttempt,
  signer: PartyIndex,
  evidence: Evidence,
  nowMs: number,
): { readonly health: Standings; readonly record: readonly Effect[] } => {
  const judgement = judgeAccusation(config.roster, begunOf(of), signer, evidence);
  const judged = standingsAfter(health, judgement, of.quorum, [signer, evidence.accused], nowMs);
  if (judgement.kind !== "proven") return { health: judged, record: [] };
  const { verdict } = judgement;
  return {
    health: judged,
    record: [{ kind: "fault", reporter: signer, session: of.key, evidence, verdict }],
  };
};

const takeAccusation = (
  state: SigningCoordinator,
  current: SigningAttempt,
  signer: PartyIndex,
  evidence: Evidence,
  nowMs: number,
): SigningStep => {
  const { health, record } = judgeFault(state, current, signer, evidence, nowMs);
  const next = failOver(state, [signer], health, nowMs);
  return { state: next.state, effects: [...record, ...next.effects] };
};

/** Accepts signatures only if all are there and verify; otherwise the signer that reported them failed, and no other. */
const take = (
  state: SigningCoordinator,
  current: SigningAttempt,
  signer: PartyIndex,
  report: Extract<SessionReport, { readonly kind: "signed" }>,
  nowMs: number,
): SigningStep => {
  const { signatures } = report;
  if (areRight(state.config, signatures)) return finish(state, current, signer, signatures, nowMs);
  const open = new Set(current.open);
  open.delete(signer);
  const judged = lapse(state.health, signer, nowMs);
  const left = { ...state, health: judged, attempt: { ...current, open } };
  return open.size > 0 ? { state: left, effects: [] } : failOver(left, [], judged, nowMs);
};

/** Ends the request with the signatures of the attempt that has them first, and closes its other streams. */
const finish = (
  state: SigningCoordinator,
  { key: session, quorum, path, heard }: SigningAttempt,
  signer: PartyIndex,
  signatures: readonly SchemeSignature[],
  nowMs: number,
): SigningStep => {
  const result = { signatures, quorum, session, attempts: state.attempts, path };
  // the signature needed all signers, so those without a report were late
  const judged = withLags(state.health, quorum, heard, quorum.length, nowMs);
  const done = { ...state, health: recover(judged, quorum, nowMs) };
  const left = cancelAll(state, []).filter(
    (effect) => effect.kind !== "cancel" || effect.session !== session || effect.signer !== signer,
  );
  return close(done, [...left, { kind: "done", result }]);
};

const areRight = (
  { schemes, verify }: SigningCoordinatorConfig,
  signatures: readonly SchemeSignature[],
): boolean =>
  signatures.length === schemes.length &&
  signatures.every(({ scheme }, at) => scheme === schemes[at]) &&
  verify(signatures);

/**
 * A signer may refuse falsely, so a refusal only leaves it out, as an outage does, while this coordinator runs. When
 * too few are left for a quorum, the coordinator fails (whyRefused). A refusal that does not fit the attempt counts
 * against its sender alone.
 */
const takeRefusal = (
  state: SigningCoordinator,
  { quorum, path }: SigningAttempt,
  signer: PartyIndex,
  problem: Problem,
  nowMs: number,
): SigningStep => {
  const { health } = state;
  const lapsed = (): Standings => lapse(health, signer, nowMs);
  if (isOfPresignature(problem.code)) {
    // an interactive attempt uses no presignature that could be refused
    const judged = path.kind === "pooled" ? suspect(health, [signer], nowMs) : lapsed();
    return failOver(state, [signer], judged, nowMs);
  }
  if (problem.code === "PeerFault") {
    return failOver(state, [signer], standingsAfterPeerFault(health, quorum, signer, problem, nowMs), nowMs);
  }
  if (isOfClock(problem.code)) {
    return failOver(state, [signer], learnClock(health, signer, problem, nowMs, state.config), nowMs);
  }
  if (isOfLife(problem.code) && !state.renamed.has(signer)) {
    const renamed = new Set(state.renamed).add(signer);
    return failOver({ ...state, renamed }, [signer], suspect(health, [signer], nowMs), nowMs);
  }
  if (mayPass(problem.code)) return failOver(state, [signer], coolDown(health, signer, nowMs), nowMs);
  const refusals = new Map(state.refusals).set(signer, problem);
  return failOver({ ...state, refusals }, [signer], health, nowMs);
};

/**
 * Handles a signer that gave up. The coordinator waits for the final reports of the others: one of them may hold proof
 * against the first signer to give up, and the reports show which signers waited first.
 */
const takeFailure = (
  state: SigningCoordinator,
  current: SigningAttempt,
  signer: PartyIndex,
  { silent: named, phase = 0 }: Extract<SessionReport, { readonly kind: "failure" }>,
  nowMs: number,
): SigningStep => {
  const silent = named.filter((peer) => peer !== signer && current.quorum.includes(peer));
  // a signer may still check a message that came just before the deadline; earlier, the failure is its own
  const isLapse = silent.length === 0 && nowMs < timeUpMs(current, patienceOf(state.config, current));
  const health = isLapse ? lapse(state.health, signer, nowMs) : state.health;
  const open = new Set(current.open);
  open.delete(signer);
  const votes: Votes = new Map(current.votes).set(signer, { silent, phase });
  const deadlineMs = Math.min(current.deadlineMs, nowMs + FINAL_REPORTS_MS);
  const next = { ...state, health, attempt: { ...current, open, votes, deadlineMs } };
  return open.size > 0
    ? { state: next, effects: [{ kind: "wake", atMs: deadlineMs }] }
    : failOver(next, [], judge(next, next.attempt, nowMs), nowMs);
};

/**
 * The standings after a stalled attempt. Only signers that sent the coordinator nothing are left out; reports of
 * signers about each other only keep pairs apart.
 */
const judge = ({ config, health }: SigningCoordinator, current: SigningAttempt, nowMs: number): Standings => {
  const { quorum, votes, open, heard, expiresAtMs } = current;
  if (failedAlone(votes) && nowMs < timeUpMs(current, patienceOf(config, current))) return health;
  const doubted = doubtClock(health, current, nowMs);
  if (doubted !== undefined) return doubted; // with such a deadline honest signers, too, wait for each other in vain
  const suspected = suspect(health, quorum, nowMs); // a signer that names others may lie, so all of the quorum are suspected
  // an early vote shortens the attempt, so a signer that is busy with its first message until then does not count as
  // mute
  const isOver = votes.size === 0 || nowMs >= expiresAtMs + FINAL_REPORTS_MS;
  const mute = isOver ? [...open].filter((signer) => !heard.has(signer)) : [];
  const late = votes.size === 0 && mute.length === 0 ? [...open] : mute;
  const rested = late.reduce((all, peer) => coolDown(all, peer, nowMs), suspected);
  return separate(rested, silentPairs(votes), nowMs);
};

/**
 * If signers hold up an online round, asks another quorum in parallel, with a presignature of its own, and the first
 * signature counts: both sign the same digest, and each presignature is spent on that digest alone (INV-2). Once for a
 * request, so that several slow signers do not use up the stock.
 *
 * @returns undefined when no signer holds the attempt up, or every presignature needs one that does
 */
const hedge = (
  state: SigningCoordinator,
  current: SigningAttempt,
  nowMs: number,
): SigningStep | undefined => {
  const { config, presignatures } = state;
  const { quorum, heard } = current;
  const late = holdUp(current);
  const others = late.length === 0 ? [] : sparing(presignatures, late);
  const fresh = freshOf(config, others, nowMs);
  const chosen = choosePresignatures(candidatesOf(state), config.keyId, fresh, ecdsaOf(config), nowMs);
  if (chosen === undefined) return undefined;
  const health = withLags(state.health, late, heard, quorum.length, nowMs);
  return attemptPooled({ ...state, health, slow: current, isHedged: true }, chosen, nowMs);
};

/**
 * Handles a report of the held-up attempt, which may still succeed. If it fails, the attempt beside it continues, with
 * any proven fault.
 */
const hearSlow = (
  state: SigningCoordinator,
  slow: SigningAttempt,
  signer: PartyIndex,
  report: SessionReport,
  nowMs: number,
): SigningStep => {
  const left = { ...state, slow: withoutSigner(slow, signer) };
  switch (report.kind) {
    case "progress":
      return { state, effects: [{ kind: "progress", signer, stage: report.stage }] };
    case "signed":
      return areRight(state.config, report.signatures)
        ? finish(state, slow, signer, report.signatures, nowMs)
        : { state: { ...left, health: lapse(state.health, signer, nowMs) }, effects: [] };
    case "fault": {
      const { health, record } = judgeFault(state, slow, signer, report.evidence, nowMs);
      return { state: { ...left, health }, effects: record };
    }
    default:
      return { state: left, effects: [] };
  }
};

const tick = (state: SigningCoordinator, nowMs: number): SigningStep => {
  const { attempt: current } = state;
  if (current === undefined) return proceed(state, nowMs);
  const { lookAtMs, deadlineMs } = current;
  if (nowMs >= deadlineMs) return failOver(state, [], judge(state, current, nowMs), nowMs);
  const wakeAtMs = lookAtMs ?? deadlineMs;
  if (nowMs < wakeAtMs) return { state, effects: [{ kind: "wake", atMs: wakeAtMs }] };
  const looked = { ...current, lookAtMs: undefined };
  const wake: Effect = { kind: "wake", atMs: deadlineMs };
  return hedge(state, looked, nowMs) ?? { state: { ...state, attempt: looked }, effects: [wake] };
};
