import { type Problem, problem } from "@conclave/custody";
import type { Entropy, PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { AskedOf } from "../../control/command.ts";
import type { SessionReport } from "../../control/report.ts";
import type { SessionKey } from "../../control/session-key.ts";
import { isOfClock, learnClock, type OwnClock } from "../clocks.ts";
import type { CoordinatorEffect, KeyExportResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { absentFrom, idsOf, type Members } from "../quorum/choose.ts";
import { isOfLife } from "../refusal.ts";
import { beginOnAll, cancelOpen, openBut, type RosterRun, unavailable } from "../roster-run.ts";
import type { Standings } from "../standings.ts";

/** A signer is asked again once because of its clock, and once because of its life. */
const ASKED_AGAIN_MAX = 2;

export interface KeyExportConfig extends OwnClock, AskedOf<"key-export"> {
  readonly roster: Members;
  /** t: the number of envelopes that make up the key */
  readonly threshold: number;
  readonly keyId: string;
  readonly entropy: Entropy;
  /** KEY_EXPORT_ATTEMPT_MS by default */
  readonly attemptMs: number;
}

type Exported = Extract<SessionReport, { readonly kind: "exported" }>;

/** Asks every live signer to seal its share of one key for a client; t envelopes are enough. */
export interface KeyExportCoordinator {
  readonly config: KeyExportConfig;
  /** undefined once it is closed */
  readonly run: RosterRun | undefined;
  readonly sealed: ReadonlyMap<PartyIndex, Exported>;
  /** the reasons of signers that sealed no share, in the order of their reports */
  readonly failures: readonly Problem[];
  /** signers that refused the deadline, because of their clocks, or the life, because they restarted */
  readonly toAskAgain: ReadonlySet<PartyIndex>;
  /** standings of signers; the next coordinator of the process takes them over */
  readonly health: Standings;
  /** how often signers were asked again because of their clocks or lives */
  readonly askedAgain: number;
}

type Effect = CoordinatorEffect<KeyExportResult>;
export interface KeyExportStep {
  readonly state: KeyExportCoordinator;
  readonly effects: readonly Effect[];
}

/**
 * Asks all live signers for their envelopes.
 *
 * @param nowMs milliseconds of the monotonic clock
 * @returns "failed" with SignersUnavailable at once, and no signer asked, when fewer than t are live: shares too few to
 * make up the key are not exported
 */
export const openKeyExportCoordinator = (
  config: KeyExportConfig,
  { live, health = new Map() }: { readonly live: readonly PartyIndex[]; readonly health?: Standings },
  nowMs: number,
): KeyExportStep => {
  const { roster, threshold } = config;
  const state: KeyExportCoordinator = {
    config,
    run: undefined,
    sealed: new Map(),
    failures: [],
    toAskAgain: new Set(),
    health,
    askedAgain: 0,
  };
  const absent = absentFrom(roster, new Set(live));
  if (roster.size - absent.length < threshold) return close(state, failed(unavailable(roster, absent)));
  return begin(state, new Set([...roster.keys()].filter((signer) => !absent.includes(signer))), nowMs);
};

const begin = (
  state: KeyExportCoordinator,
  signers: ReadonlySet<PartyIndex>,
  nowMs: number,
): KeyExportStep => {
  const { roster, authorisation } = state.config;
  const { run, effects } = beginOnAll(
    { ...state.config, roster: new Map([...roster].filter(([signer]) => signers.has(signer))) },
    (_, expiresAtMs) => ({ kind: "key-export", authorisation, expiresAtMs }),
    state.health,
    nowMs,
  );
  return { state: { ...state, run }, effects };
};

/** The coordinator's step on one event. */
export const stepKeyExportCoordinator = (
  state: KeyExportCoordinator,
  event: CoordinatorEvent,
  nowMs: number,
): KeyExportStep => {
  const { run, config } = state;
  if (run === undefined) return unchanged(state);
  switch (event.kind) {
    case "report":
      return isOpen(run, event) ? hear(state, run, event.signer, event.report, nowMs) : unchanged(state);
    case "lost":
      return isOpen(run, event)
        ? without(state, run, event.signer, unavailable(config.roster, [event.signer]), nowMs)
        : unchanged(state);
    case "tick":
      if (nowMs < run.deadlineMs) return { state, effects: [{ kind: "wake", atMs: run.deadlineMs }] };
      return conclude(
        { ...state, failures: [...state.failures, unavailable(config.roster, [...run.open])] },
        run,
        nowMs,
      );
    case "stop":
      return close(state, cancelOpen(run, []));
    case "live":
    case "key-state":
    case "switched":
    case "unanswered":
    case "refused":
      return unchanged(state);
  }
};

const unchanged = (state: KeyExportCoordinator): KeyExportStep => ({ state, effects: [] });

const failed = (reason: Problem): readonly Effect[] => [{ kind: "failed", problem: reason }];

const close = (state: KeyExportCoordinator, effects: readonly Effect[]): KeyExportStep => ({
  state: { ...state, run: undefined },
  effects: [...effects, { kind: "closed" }],
});

const isOpen = (
  { key, open }: RosterRun,
  { signer, session }: { readonly signer: PartyIndex; readonly session: SessionKey },
): boolean => key === session && open.has(signer);

const hear = (
  state: KeyExportCoordinator,
  run: RosterRun,
  signer: PartyIndex,
  report: SessionReport,
  nowMs: number,
): KeyExportStep => {
  const [id] = idsOf(state.config.roster, [signer]);
  switch (report.kind) {
    case "progress":
      return { state, effects: [{ kind: "progress", signer, stage: report.stage }] };
    case "exported": {
      if (report.keyId !== state.config.keyId) break;
      const sealed = new Map(state.sealed).set(signer, report);
      return proceed({ ...state, sealed }, { ...run, open: openBut(run, signer) }, nowMs);
    }
    case "refusal": {
      const { code, details, message } = report.problem;
      const why = problem(code, { ...details, signer: id }, message);
      const mayTakeNext = isOfClock(code) || isOfLife(code);
      return without(mayTakeNext ? askAgain(state, signer, why, nowMs) : state, run, signer, why, nowMs);
    }
    case "failure":
      return without(
        state,
        run,
        signer,
        problem("KeyExportFailed", { reason: report.reason, signer: id }),
        nowMs,
      );
    default:
      break;
  }
  const reason = "a signer answered what was not asked";
  return without(state, run, signer, problem("KeyExportFailed", { reason, signer: id }), nowMs);
};

const askAgain = (
  state: KeyExportCoordinator,
  signer: PartyIndex,
  refused: Problem,
  nowMs: number,
): KeyExportCoordinator => ({
  ...state,
  toAskAgain: new Set(state.toAskAgain).add(signer),
  health: isOfClock(refused.code)
    ? learnClock(state.health, signer, refused, nowMs, state.config)
    : state.health,
});

const without = (
  state: KeyExportCoordinator,
  run: RosterRun,
  signer: PartyIndex,
  why: Problem,
  nowMs: number,
): KeyExportStep =>
  proceed({ ...state, failures: [...state.failures, why] }, { ...run, open: openBut(run, signer) }, nowMs);

const proceed = (state: KeyExportCoordinator, run: RosterRun, nowMs: number): KeyExportStep =>
  run.open.size > 0 ? unchanged({ ...state, run }) : conclude(state, run, nowMs);

/** The largest set of shares of one epoch and public key: shares of another do not combine with them. */
const agreeing = (sealed: KeyExportCoordinator["sealed"]): readonly (readonly [PartyIndex, Exported])[] => {
  const groups = new Map<string, (readonly [PartyIndex, Exported])[]>();
  for (const [signer, report] of sealed) {
    const name = `${report.epoch}/${bytesToHex(report.publicKey)}`;
    groups.set(name, [...(groups.get(name) ?? []), [signer, report]]);
  }
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
};

/**
 * Ends once every signer has answered or run out of time. If too few sealed their shares, signers that refused because
 * of clocks or lives are asked again, with the clock and the lives that they reported.
 */
const conclude = (state: KeyExportCoordinator, run: RosterRun, nowMs: number): KeyExportStep => {
  const { keyId, threshold } = state.config;
  const left = cancelOpen(run, []);
  const group = [...agreeing(state.sealed)].sort(([a], [b]) => a - b);
  const [first] = group;
  if (first === undefined || group.length < threshold) {
    if (state.askedAgain < ASKED_AGAIN_MAX && state.toAskAgain.size > 0) {
      const asking = { askedAgain: state.askedAgain + 1, toAskAgain: new Set<PartyIndex>(), failures: [] };
      const again = begin({ ...state, ...asking }, state.toAskAgain, nowMs);
      return { state: again.state, effects: [...left, ...again.effects] };
    }
    const reason = `${group.length} of the ${threshold} shares needed are there`;
    const [why = problem("KeyExportFailed", { reason })] = state.failures;
    return close(state, [...left, ...failed(why)]);
  }
  const envelopes = new Map(group.map(([signer, { envelope }]) => [signer, envelope]));
  const result: KeyExportResult = { keyId, publicKey: first[1].publicKey, envelopes };
  return close(state, [...left, { kind: "done", result }]);
};
