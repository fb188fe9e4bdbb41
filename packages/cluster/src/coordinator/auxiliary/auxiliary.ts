import type { Entropy, PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { SessionReport } from "../../control/report.ts";
import type { SessionKey } from "../../control/session-key.ts";
import type { AuxiliaryResult, CoordinatorEffect } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { freshSession } from "../fresh-session.ts";
import { FINAL_REPORTS_MS, PAUSE_MS, PAUSE_MS_MAX } from "../limits.ts";
import { absentFrom, idsOf, type Members } from "../quorum.ts";
import { accusationIn } from "../roster-run.ts";

export interface AuxiliaryCoordinatorConfig {
  readonly roster: Members;
  readonly entropy: Entropy;
  /** AUXILIARY_ATTEMPT_MS unless there is a reason */
  readonly attemptMs: number;
}

interface Generation {
  readonly key: SessionKey;
  readonly epoch: number;
  /** as the signers were told */
  readonly expiresAtMs: number;
  readonly deadlineMs: number;
  readonly open: ReadonlySet<PartyIndex>;
}

/** Gives all signers auxiliary info of one epoch, the same on each; tries until it is so. */
export interface AuxiliaryCoordinator {
  readonly config: AuxiliaryCoordinatorConfig;
  readonly live: ReadonlySet<PartyIndex>;
  /** what each signer holds, as far as it said; epoch 0 is nothing */
  readonly held: ReadonlyMap<PartyIndex, AuxiliaryResult>;
  readonly generation: Generation | undefined;
  readonly failures: number;
  readonly resumeAtMs: number;
  readonly why: string;
  readonly waitingFor: string | undefined;
  readonly isClosed: boolean;
}

type Effect = CoordinatorEffect<AuxiliaryResult>;
export interface AuxiliaryStep {
  readonly state: AuxiliaryCoordinator;
  readonly effects: readonly Effect[];
}

/**
 * Starts to bring auxiliary info to the cluster; done at once when every signer holds the same already.
 *
 * @param known who is live, and what they hold (epoch 0: nothing). A signer that is not live holds what it may
 * @param nowMs Unix milliseconds
 */
export const openAuxiliaryCoordinator = (
  config: AuxiliaryCoordinatorConfig,
  known: { readonly live: readonly PartyIndex[]; readonly held: ReadonlyMap<PartyIndex, AuxiliaryResult> },
  nowMs: number,
): AuxiliaryStep =>
  proceed(
    {
      config,
      live: new Set(known.live),
      held: known.held,
      generation: undefined,
      failures: 0,
      resumeAtMs: 0,
      why: "",
      waitingFor: undefined,
      isClosed: false,
    },
    nowMs,
  );

/** What the coordinator does about one event. */
export const stepAuxiliaryCoordinator = (
  state: AuxiliaryCoordinator,
  event: CoordinatorEvent,
  nowMs: number,
): AuxiliaryStep => {
  if (state.isClosed) return { state, effects: [] };
  switch (event.kind) {
    case "report":
      return hear(state, event.signer, event.session, event.report, nowMs);
    case "lost":
      return isCurrent(state, event)
        ? tryAgain(state, [event.signer], `${named(state, event.signer)} was lost`, nowMs)
        : { state, effects: [] };
    case "live":
      return proceed({ ...state, live: new Set(event.signers) }, nowMs);
    case "tick":
      return tick(state, nowMs);
    case "stop":
      return close(state, cancelAll(state, []));
    case "key-state":
    case "unanswered":
    case "refused":
      return { state, effects: [] };
  }
};

const named = ({ config }: AuxiliaryCoordinator, signer: PartyIndex): string =>
  idsOf(config.roster, [signer]).join();

const isCurrent = (
  { generation }: AuxiliaryCoordinator,
  { signer, session }: { readonly signer: PartyIndex; readonly session: SessionKey },
): boolean => generation?.key === session && generation.open.has(signer);

const close = (state: AuxiliaryCoordinator, effects: readonly Effect[]): AuxiliaryStep => ({
  state: { ...state, generation: undefined, isClosed: true },
  effects: [...effects, { kind: "closed" }],
});

const cancelAll = ({ generation }: AuxiliaryCoordinator, ended: readonly PartyIndex[]): readonly Effect[] =>
  generation === undefined
    ? []
    : [...generation.open]
        .filter((signer) => !ended.includes(signer))
        .map((signer) => ({ kind: "cancel", signer, session: generation.key }));

/** What all signers hold alike, if they do; an empty digest stands for an outcome that no signer reported. */
const agreement = ({ config, held }: AuxiliaryCoordinator): AuxiliaryResult | undefined => {
  const all = [...config.roster.keys()].map((signer) => held.get(signer));
  const [first] = all;
  if (first === undefined || first.epoch === 0 || first.digest.length === 0) return undefined;
  const digest = bytesToHex(first.digest);
  return all.every((each) => each?.epoch === first.epoch && bytesToHex(each.digest) === digest)
    ? first
    : undefined;
};

/** Done when all hold the same; else a run of all signers under a higher epoch than any of them has. */
const proceed = (state: AuxiliaryCoordinator, nowMs: number): AuxiliaryStep => {
  if (state.generation !== undefined) return { state, effects: [] };
  const result = agreement(state);
  if (result !== undefined) return close(state, [{ kind: "done", result }]);
  const { roster } = state.config;
  const absent = absentFrom(roster, state.live);
  if (absent.length > 0) {
    const ids = idsOf(roster, absent).join(", ");
    const reason = `auxiliary generation needs every signer; ${ids} ${absent.length === 1 ? "does" : "do"} not answer`;
    return wait(state, reason, absent, undefined);
  }
  if (nowMs < state.resumeAtMs) return wait(state, `trying again: ${state.why}`, [], state.resumeAtMs);
  return generate(state, nowMs);
};

const wait = (
  state: AuxiliaryCoordinator,
  reason: string,
  unavailable: readonly PartyIndex[],
  untilMs: number | undefined,
): AuxiliaryStep => {
  const effects: Effect[] = state.waitingFor === reason ? [] : [{ kind: "waiting", reason, unavailable }];
  if (untilMs !== undefined) effects.push({ kind: "wake", atMs: untilMs });
  return { state: { ...state, waitingFor: reason }, effects };
};

const generate = (state: AuxiliaryCoordinator, nowMs: number): AuxiliaryStep => {
  const { roster, entropy, attemptMs } = state.config;
  const { id, key } = freshSession(entropy);
  const epoch = 1 + Math.max(0, ...[...state.held.values()].map((held) => held.epoch));
  const expiresAtMs = nowMs + attemptMs;
  const deadlineMs = expiresAtMs + FINAL_REPORTS_MS;
  const command = { kind: "auxiliary", epoch, expiresAtMs } as const;
  const signers = [...roster.keys()];
  const generation: Generation = { key, epoch, expiresAtMs, deadlineMs, open: new Set(signers) };
  return {
    state: { ...state, generation, waitingFor: undefined },
    effects: [
      ...signers.map((signer) => ({ kind: "call", signer, session: id, command }) as const),
      { kind: "wake", atMs: deadlineMs },
    ],
  };
};

const tryAgain = (
  state: AuxiliaryCoordinator,
  ended: readonly PartyIndex[],
  why: string,
  nowMs: number,
): AuxiliaryStep => {
  const pauseMs = Math.min(PAUSE_MS * 2 ** state.failures, PAUSE_MS_MAX);
  const failures = state.failures + 1;
  const rested = { ...state, generation: undefined, failures, why, resumeAtMs: nowMs + pauseMs };
  const next = proceed(withSpent(rested, state.generation), nowMs);
  return { state: next.state, effects: [...cancelAll(state, ended), ...next.effects] };
};

/**
 * Signers of a failed run may have stored its outcome and died before they reported it, so its epoch is not used
 * again.
 */
const withSpent = (state: AuxiliaryCoordinator, spent: Generation | undefined): AuxiliaryCoordinator => {
  if (spent === undefined) return state;
  const held = new Map(state.held);
  for (const signer of spent.open) held.set(signer, { epoch: spent.epoch, digest: new Uint8Array(0) });
  return { ...state, held };
};

const hear = (
  state: AuxiliaryCoordinator,
  signer: PartyIndex,
  session: SessionKey,
  report: SessionReport,
  nowMs: number,
): AuxiliaryStep => {
  const { generation } = state;
  if (generation === undefined || !isCurrent(state, { signer, session })) return { state, effects: [] };
  const failed = (why: string): AuxiliaryStep => tryAgain(state, [signer], why, nowMs);
  const id = named(state, signer);
  switch (report.kind) {
    case "progress":
      return { state, effects: [{ kind: "progress", signer, stage: report.stage }] };
    case "auxiliary":
      return report.epoch === generation.epoch
        ? collect(state, generation, signer, report, nowMs)
        : failed(`${id} answered for another epoch`);
    case "refusal":
      return failed(`${id} refused: ${report.problem.message}`);
    case "failure": {
      const silent = report.silent.filter((peer) => peer !== signer);
      const blamedOn = idsOf(state.config.roster, silent).join(", ");
      return failed(silent.length > 0 ? `${blamedOn} fell silent` : `${id} failed: ${report.reason}`);
    }
    case "fault": {
      const { why, record } = accusationIn(state.config.roster, generation, signer, report.evidence);
      const next = failed(why);
      return { state: next.state, effects: [...record, ...next.effects] };
    }
    default:
      return failed(`${id} answered what was not asked`);
  }
};

const collect = (
  state: AuxiliaryCoordinator,
  generation: Generation,
  signer: PartyIndex,
  { epoch, digest }: AuxiliaryResult,
  nowMs: number,
): AuxiliaryStep => {
  const held = new Map(state.held).set(signer, { epoch, digest });
  const open = new Set(generation.open);
  open.delete(signer);
  const next: AuxiliaryCoordinator = { ...state, held, generation: { ...generation, open } };
  if (open.size > 0) return { state: next, effects: [] };
  const result = agreement(next);
  if (result !== undefined) return close(next, [{ kind: "done", result }]);
  return tryAgain(next, [], "the signers hold different moduli", nowMs);
};

const tick = (state: AuxiliaryCoordinator, nowMs: number): AuxiliaryStep => {
  const { generation } = state;
  if (generation === undefined) return proceed(state, nowMs);
  if (nowMs < generation.deadlineMs)
    return { state, effects: [{ kind: "wake", atMs: generation.deadlineMs }] };
  const silent = idsOf(state.config.roster, [...generation.open]).join(", ");
  return tryAgain(state, [], `the deadline passed; ${silent} did not finish`, nowMs);
};
