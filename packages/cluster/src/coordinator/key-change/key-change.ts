import { type Problem, problem, type SignedAuthorisation } from "@conclave/custody";
import type { Entropy, PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { KeyChange } from "../../control/command.ts";
import type { SessionReport } from "../../control/report.ts";
import type { SessionKey } from "../../control/session-key.ts";
import type { CoordinatorEffect, KeyChangeResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { ASK_AGAIN_MS, DISCARD_MS_MAX } from "../limits.ts";
import { absentFrom, idsOf, type Members } from "../quorum.ts";
import { mayPass } from "../refusal.ts";
import { beginOnAll, cancelOpen, misfortuneOf, openBut, type RosterRun, unavailable } from "../roster-run.ts";

export interface KeyChangeConfig {
  readonly roster: Members;
  readonly keyId: string;
  /** the epoch as it is authorised to change; the new one is the next */
  readonly epoch: number;
  readonly change: KeyChange;
  /** AuthorisedKeyDiscard of what a session (64 hex digits) made */
  readonly authoriseDiscard: (session: string) => SignedAuthorisation;
  readonly entropy: Entropy;
  /** KEY_CHANGE_ATTEMPT_MS unless there is a reason */
  readonly attemptMs: number;
}

/** What a signer says that it holds of the key, from GetStatus. */
export interface HeldEpoch {
  /** of its active share; 0 when it has none */
  readonly epoch: number;
  /** a share of a next epoch that waits; `session` is the one that made it, in hex */
  readonly next?: { readonly epoch: number; readonly session: string; readonly digest: Uint8Array };
}

interface Run extends RosterRun {
  /** what each signer that is done says is public of the new epoch, in hex */
  readonly digests: ReadonlyMap<PartyIndex, string>;
}

/**
 * Where a change stands. Until a signer may have activated the new epoch, the coordinator only discards its shares;
 * from then on it only activates them: shares of two epochs do not mix, and too few of each would be no key at all.
 */
type Phase =
  /** shares of an attempt whose coordinator died are discarded before a new one; by the session that made them */
  | { readonly kind: "clearing"; readonly left: ReadonlyMap<PartyIndex, string> }
  | { readonly kind: "running"; readonly run: Run }
  | {
      readonly kind: "activating";
      readonly left: ReadonlySet<PartyIndex>;
      readonly lacking: readonly PartyIndex[];
    }
  | {
      readonly kind: "discarding";
      readonly left: ReadonlyMap<PartyIndex, string>;
      readonly untilMs: number;
    }
  | { readonly kind: "closed" };

/** Brings one key to its next epoch on all signers, or leaves it as it is. */
export interface KeyChangeCoordinator {
  readonly config: KeyChangeConfig;
  readonly live: ReadonlySet<PartyIndex>;
  readonly phase: Phase;
  readonly waitingFor: string | undefined;
}

type Effect = CoordinatorEffect<KeyChangeResult>;
export interface KeyChangeStep {
  readonly state: KeyChangeCoordinator;
  readonly effects: readonly Effect[];
}

/**
 * Starts a change, or takes up what an earlier coordinator of the same change left: what is active anywhere, or held by
 * all alike, is activated everywhere; anything less is discarded and made afresh. Only one coordinator of a key runs at a
 * time: its caller sees to that.
 *
 * @param known who is live, and what each of the live ones holds of this key
 * @param nowMs Unix milliseconds
 * @returns "failed" with SignersUnavailable at once, and nothing begun or discarded, unless every signer is heard: a
 *   silent one may be in the new epoch already
 */
export const openKeyChangeCoordinator = (
  config: KeyChangeConfig,
  known: { readonly live: readonly PartyIndex[]; readonly held: ReadonlyMap<PartyIndex, HeldEpoch> },
  nowMs: number,
): KeyChangeStep => {
  const { roster, epoch } = config;
  const state: KeyChangeCoordinator = {
    config,
    live: new Set(known.live),
    phase: { kind: "closed" },
    waitingFor: undefined,
  };
  const held = [...known.held.values()];
  const highest = Math.max(0, ...held.map((each) => each.epoch));
  if (highest > epoch + 1) return fail(state, [], problem("KeyEpochMismatch", { epoch: highest }));
  const next = held.flatMap((each) => (each.next?.epoch === epoch + 1 ? [bytesToHex(each.next.digest)] : []));
  const isComplete = next.length === roster.size && new Set(next).size === 1;
  if (highest === epoch + 1 || isComplete) return activate(state, nowMs);
  const absent = [...roster.keys()].filter((signer) => !state.live.has(signer) || !known.held.has(signer));
  if (absent.length > 0) return fail(state, [], unavailable(roster, absent));
  const left = new Map(
    [...known.held].flatMap(([signer, each]) =>
      each.next === undefined ? [] : [[signer, each.next.session] as const],
    ),
  );
  if (left.size === 0) return begin(state, nowMs);
  return ask({ ...state, phase: { kind: "clearing", left } }, nowMs);
};

/** What the coordinator does about one event. */
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
        : abandon(state, [event.signer], unavailable(state.config.roster, [event.signer]), nowMs);
    case "live":
      return again({ ...state, live: new Set(event.signers) }, nowMs);
    case "key-state":
      return event.keyId === state.config.keyId
        ? answered(state, event.signer, event.state === "active" ? event.epoch : 0, nowMs)
        : unchanged(state);
    case "refused":
      return event.keyId === state.config.keyId && !mayPass(event.problem.code)
        ? answered(state, event.signer, 0, nowMs)
        : askLater(state, nowMs);
    case "unanswered":
      return askLater(state, nowMs);
    case "tick":
      return tick(state, nowMs);
    case "stop":
      return close(state, cancelAll(state, []));
  }
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

const begin = (state: KeyChangeCoordinator, nowMs: number): KeyChangeStep => {
  const { change } = state.config;
  const { run, effects } = beginOnAll(state.config, (_, expiresAtMs) => ({ ...change, expiresAtMs }), nowMs);
  return { state: { ...state, phase: { kind: "running", run: { ...run, digests: new Map() } } }, effects };
};

const cancelAll = ({ phase }: KeyChangeCoordinator, ended: readonly PartyIndex[]): readonly Effect[] =>
  phase.kind === "running" ? cancelOpen(phase.run, ended) : [];

/** The run failed, and nobody was told to activate anything: every signer discards what the run may have left it. */
const abandon = (
  state: KeyChangeCoordinator,
  ended: readonly PartyIndex[],
  reason: Problem,
  nowMs: number,
): KeyChangeStep => {
  const { phase, config } = state;
  if (phase.kind !== "running") return unchanged(state);
  const left = new Map([...config.roster.keys()].map((signer) => [signer, phase.run.key]));
  const discarding: Phase = { kind: "discarding", left, untilMs: nowMs + DISCARD_MS_MAX };
  const next = ask({ ...state, phase: discarding }, nowMs);
  const said: readonly Effect[] = [...cancelAll(state, ended), { kind: "failed", problem: reason }];
  return { state: next.state, effects: [...said, ...next.effects] };
};

const activate = (state: KeyChangeCoordinator, nowMs: number): KeyChangeStep => {
  const left = new Set(state.config.roster.keys());
  return again({ ...state, phase: { kind: "activating", left, lacking: [] } }, nowMs);
};

/** Asks all signers that are left in this phase, live or not: liveness is only reported, an answer is certain. */
const ask = (state: KeyChangeCoordinator, nowMs: number): KeyChangeStep => {
  const { phase, config } = state;
  const { keyId } = config;
  const wake: Effect = { kind: "wake", atMs: nowMs + ASK_AGAIN_MS };
  switch (phase.kind) {
    case "running":
    case "closed":
      return unchanged(state);
    case "activating": {
      const epoch = config.epoch + 1;
      const effects = [...phase.left].map((signer) => ({ kind: "activate", signer, keyId, epoch }) as const);
      return { state, effects: [...effects, wake] };
    }
    case "clearing":
    case "discarding": {
      const effects = [...phase.left].map(([signer, session]): Effect => {
        const authorisation = config.authoriseDiscard(session);
        return { kind: "discard", signer, keyId, authorisation };
      });
      return { state, effects: [...effects, wake] };
    }
  }
};

/** Asks again those that are left, and says whom the key waits for. */
const again = (state: KeyChangeCoordinator, nowMs: number): KeyChangeStep => {
  const asked = ask(state, nowMs);
  if (state.phase.kind !== "activating") return asked;
  const { roster } = state.config;
  const absent = absentFrom(roster, state.live);
  const missing = [...state.phase.left].filter((signer) => absent.includes(signer));
  const reason = `waiting for ${idsOf(roster, missing).join(", ")} to activate the key's new epoch`;
  if (missing.length === 0 || reason === state.waitingFor) return asked;
  const waiting: Effect = { kind: "waiting", reason, unavailable: missing };
  return { state: { ...state, waitingFor: reason }, effects: [waiting, ...asked.effects] };
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
    abandon(state, [signer], problem("KeyChangeFailed", details), nowMs);
  switch (report.kind) {
    case "progress":
      return { state, effects: [{ kind: "progress", signer, stage: report.stage }] };
    case "key-changed": {
      const { keyId, epoch } = state.config;
      return report.keyId === keyId && report.epoch === epoch + 1
        ? collect(state, run, signer, bytesToHex(report.digest), nowMs)
        : failed({ reason: "a signer changed another key", signer: id });
    }
    case "refusal":
      return abandon(state, [signer], report.problem, nowMs);
    case "fault":
    case "failure": {
      const { reason, record } = misfortuneOf(state.config.roster, run, signer, report, "KeyChangeFailed");
      const next = abandon(state, [signer], reason, nowMs);
      return { state: next.state, effects: [...record, ...next.effects] };
    }
    default:
      return failed({ reason: "a signer answered what was not asked", signer: id });
  }
};

/** The new epoch counts once every signer holds its share durably, and all say the same of what is public of it. */
const collect = (
  state: KeyChangeCoordinator,
  run: Run,
  signer: PartyIndex,
  digest: string,
  nowMs: number,
): KeyChangeStep => {
  const digests = new Map(run.digests).set(signer, digest);
  const open = openBut(run, signer);
  const next: KeyChangeCoordinator = { ...state, phase: { kind: "running", run: { ...run, digests, open } } };
  if (open.size > 0) return unchanged(next);
  return new Set(digests.values()).size === 1
    ? activate(next, nowMs)
    : abandon(next, [], problem("KeyChangeFailed", { reason: "the signers hold different shares" }), nowMs);
};

/** @param epoch of the answering signer's active share, 0 when it has none */
const answered = (
  state: KeyChangeCoordinator,
  signer: PartyIndex,
  epoch: number,
  nowMs: number,
): KeyChangeStep => {
  const { phase, config } = state;
  switch (phase.kind) {
    case "running":
    case "closed":
      return unchanged(state);
    case "activating": {
      if (!phase.left.has(signer)) return unchanged(state);
      const left = new Set(phase.left);
      left.delete(signer);
      const lacking = epoch > config.epoch ? phase.lacking : [...phase.lacking, signer];
      if (left.size > 0) return unchanged({ ...state, phase: { ...phase, left, lacking } });
      return conclude(state, lacking);
    }
    case "clearing":
    case "discarding": {
      const left = new Map(phase.left);
      left.delete(signer);
      if (left.size > 0) return unchanged({ ...state, phase: { ...phase, left } });
      return phase.kind === "clearing" ? begin(state, nowMs) : close(state, []);
    }
  }
};

/**
 * All signers were asked. The result names signers that lost the share which they reported, for the others cannot go
 * back.
 */
const conclude = (state: KeyChangeCoordinator, lacking: readonly PartyIndex[]): KeyChangeStep => {
  const { roster, keyId, epoch } = state.config;
  if (lacking.length === roster.size) {
    return fail(
      state,
      [],
      problem("KeyChangeFailed", { reason: "no signer holds a share of the new epoch" }),
    );
  }
  return close(state, [{ kind: "done", result: { keyId, epoch: epoch + 1, lacking } }]);
};

const tick = (state: KeyChangeCoordinator, nowMs: number): KeyChangeStep => {
  const { phase } = state;
  if (phase.kind === "discarding" && nowMs >= phase.untilMs) return close(state, []);
  if (phase.kind !== "running") return again(state, nowMs);
  const { deadlineMs, open } = phase.run;
  if (nowMs < deadlineMs) return { state, effects: [{ kind: "wake", atMs: deadlineMs }] };
  return abandon(state, [], unavailable(state.config.roster, [...open]), nowMs);
};
