import { ERRORS, type Problem, problem, type SignedAuthorisation } from "@conclave/custody";
import type { Entropy, PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { SessionReport } from "../signer/effect.ts";
import type { SessionKey } from "../signer/event.ts";
import { isGrounded } from "./accusation.ts";
import type { CoordinatorEffect, KeyGenerationResult } from "./effect.ts";
import type { CoordinatorEvent } from "./event.ts";
import { freshSession } from "./fresh-session.ts";
import { ASK_AGAIN_MS, DISCARD_MS_MAX, LAST_WORDS_MS } from "./limits.ts";
import { absentFrom, idsOf, type Roster } from "./quorum.ts";

export interface KeyCoordinatorConfig {
  readonly roster: Roster;
  readonly keyId: string;
  readonly authorisation: SignedAuthorisation;
  readonly entropy: Entropy;
  /** KEY_ATTEMPT_MS unless there is a reason */
  readonly attemptMs: number;
}

/** What a signer says that it holds of the key, from GetStatus; signers without an entry hold nothing. */
export interface HeldKey {
  readonly state: "pending" | "active";
  readonly publicKey: Uint8Array;
}

interface Generation {
  readonly key: SessionKey;
  readonly deadlineMs: number;
  readonly open: ReadonlySet<PartyIndex>;
  readonly done: ReadonlyMap<PartyIndex, { readonly publicKey: Uint8Array; readonly chainCode: Uint8Array }>;
}

/**
 * Where a key stands. A key of which any signer may hold an active share was complete once, so it is only ever
 * activated further; before that it is only ever discarded.
 */
type Phase =
  /** shares of an attempt whose coordinator died are discarded before a new one */
  | { readonly kind: "clearing"; readonly left: ReadonlySet<PartyIndex> }
  | { readonly kind: "generating"; readonly generation: Generation }
  | { readonly kind: "activating"; readonly left: ReadonlySet<PartyIndex>; readonly publicKey: Uint8Array }
  | { readonly kind: "discarding"; readonly left: ReadonlySet<PartyIndex>; readonly untilMs: number }
  | { readonly kind: "closed" };

/** Makes one key on all signers, or leaves nothing behind. */
export interface KeyCoordinator {
  readonly config: KeyCoordinatorConfig;
  readonly live: ReadonlySet<PartyIndex>;
  readonly phase: Phase;
  readonly waitingFor: string | undefined;
}

type Effect = CoordinatorEffect<KeyGenerationResult>;
export interface KeyStep {
  readonly state: KeyCoordinator;
  readonly effects: readonly Effect[];
}

/**
 * Starts to make a key, or takes up what an earlier coordinator of the same key left.
 *
 * @param known who is live, and what the live ones hold of this key
 * @param nowMs Unix milliseconds
 * @returns "failed" with SignersUnavailable at once, and nothing begun, unless every signer is live
 */
export const openKeyCoordinator = (
  config: KeyCoordinatorConfig,
  known: { readonly live: readonly PartyIndex[]; readonly held: ReadonlyMap<PartyIndex, HeldKey> },
  nowMs: number,
): KeyStep => {
  const state: KeyCoordinator = {
    config,
    live: new Set(known.live),
    phase: { kind: "closed" },
    waitingFor: undefined,
  };
  const held = [...known.held.values()];
  const [first] = held;
  const keys = new Set(held.map(({ publicKey }) => bytesToHex(publicKey)));
  const isComplete = held.some((key) => key.state === "active") || held.length === config.roster.size;
  if (first !== undefined && isComplete && keys.size === 1) return activate(state, first.publicKey, nowMs);
  const absent = absentFrom(config.roster, state.live);
  if (absent.length > 0)
    return giveUp(state, [], unavailable(state, absent), new Set(known.held.keys()), nowMs);
  if (first === undefined) return generate(state, nowMs);
  return ask({ ...state, phase: { kind: "clearing", left: new Set(known.held.keys()) } }, nowMs);
};

/** What the coordinator does about one event. */
export const stepKeyCoordinator = (
  state: KeyCoordinator,
  event: CoordinatorEvent,
  nowMs: number,
): KeyStep => {
  if (state.phase.kind === "closed") return { state, effects: [] };
  switch (event.kind) {
    case "report":
      return hear(state, event.signer, event.session, event.report, nowMs);
    case "lost":
      return generationOf(state, event) === undefined
        ? { state, effects: [] }
        : abandon(state, [event.signer], unavailable(state, [event.signer]), nowMs);
    case "live":
      return again({ ...state, live: new Set(event.signers) }, nowMs);
    case "key-state":
      return event.keyId === state.config.keyId
        ? answered(state, event.signer, event.state, nowMs)
        : { state, effects: [] };
    case "refused":
      return event.keyId === state.config.keyId
        ? refused(state, event.signer, event.problem, nowMs)
        : { state, effects: [] };
    case "unanswered":
      return { state, effects: [{ kind: "wake", atMs: nowMs + ASK_AGAIN_MS }] };
    case "tick":
      return tick(state, nowMs);
    case "stop":
      return close(state, cancelAll(state, []));
  }
};

const unavailable = ({ config }: KeyCoordinator, signers: readonly PartyIndex[]): Problem =>
  problem("SignersUnavailable", { unavailable: idsOf(config.roster, signers) });

const close = (state: KeyCoordinator, effects: readonly Effect[]): KeyStep => ({
  state: { ...state, phase: { kind: "closed" } },
  effects: [...effects, { kind: "closed" }],
});

const generationOf = (
  { phase }: KeyCoordinator,
  { signer, session }: { readonly signer: PartyIndex; readonly session: SessionKey },
): Generation | undefined => {
  if (phase.kind !== "generating") return undefined;
  const { generation } = phase;
  return generation.key === session && generation.open.has(signer) ? generation : undefined;
};

const generate = (state: KeyCoordinator, nowMs: number): KeyStep => {
  const { roster, authorisation, entropy, attemptMs } = state.config;
  const { id, key } = freshSession(entropy);
  const expiresAtMs = nowMs + attemptMs;
  const deadlineMs = expiresAtMs + LAST_WORDS_MS;
  const request = { kind: "key", authorisation, expiresAtMs } as const;
  const signers = [...roster.keys()];
  const generation: Generation = { key, deadlineMs, open: new Set(signers), done: new Map() };
  return {
    state: { ...state, phase: { kind: "generating", generation } },
    effects: [
      ...signers.map((signer) => ({ kind: "call", signer, session: id, request }) as const),
      { kind: "wake", atMs: deadlineMs },
    ],
  };
};

const cancelAll = ({ phase }: KeyCoordinator, ended: readonly PartyIndex[]): readonly Effect[] => {
  if (phase.kind !== "generating") return [];
  const { open, key } = phase.generation;
  return [...open]
    .filter((signer) => !ended.includes(signer))
    .map((signer) => ({ kind: "cancel", signer, session: key }));
};

/** Generation failed: every stream is closed, and every signer discards what it may hold. */
const abandon = (
  state: KeyCoordinator,
  ended: readonly PartyIndex[],
  reason: Problem,
  nowMs: number,
): KeyStep => giveUp(state, cancelAll(state, ended), reason, new Set(state.config.roster.keys()), nowMs);

const giveUp = (
  state: KeyCoordinator,
  before: readonly Effect[],
  reason: Problem,
  left: ReadonlySet<PartyIndex>,
  nowMs: number,
): KeyStep => {
  const said: readonly Effect[] = [...before, { kind: "failed", problem: reason }];
  if (left.size === 0) return close(state, said);
  const phase: Phase = { kind: "discarding", left, untilMs: nowMs + DISCARD_MS_MAX };
  const next = ask({ ...state, phase }, nowMs);
  return { state: next.state, effects: [...said, ...next.effects] };
};

const activate = (state: KeyCoordinator, publicKey: Uint8Array, nowMs: number): KeyStep => {
  const left = new Set(state.config.roster.keys());
  return ask({ ...state, phase: { kind: "activating", left, publicKey } }, nowMs);
};

/** Asks all that are left in a phase of asking, live or not: liveness is hearsay, an answer is not. */
const ask = (state: KeyCoordinator, nowMs: number): KeyStep => {
  const { phase, config } = state;
  if (phase.kind === "generating" || phase.kind === "closed") return { state, effects: [] };
  const kind = phase.kind === "activating" ? "activate" : "discard";
  const effects: Effect[] = [...phase.left].map((signer) => ({ kind, signer, keyId: config.keyId }));
  effects.push({ kind: "wake", atMs: nowMs + ASK_AGAIN_MS });
  return { state, effects };
};

/** Asks again those that are left, and says whom the key waits for. */
const again = (state: KeyCoordinator, nowMs: number): KeyStep => {
  const asked = ask(state, nowMs);
  if (state.phase.kind !== "activating") return asked;
  const { roster } = state.config;
  const absent = absentFrom(roster, state.live);
  const missing = [...state.phase.left].filter((signer) => absent.includes(signer));
  const reason = `waiting for ${idsOf(roster, missing).join(", ")} to activate the key`;
  if (missing.length === 0 || reason === state.waitingFor) return asked;
  const waiting: Effect = { kind: "waiting", reason, unavailable: missing };
  return { state: { ...state, waitingFor: reason }, effects: [waiting, ...asked.effects] };
};

const hear = (
  state: KeyCoordinator,
  signer: PartyIndex,
  session: SessionKey,
  report: SessionReport,
  nowMs: number,
): KeyStep => {
  const generation = generationOf(state, { signer, session });
  if (generation === undefined) return { state, effects: [] };
  const failed = (details: Readonly<Record<string, unknown>>): KeyStep =>
    abandon(state, [signer], problem("KeyGenerationFailed", details), nowMs);
  const [id] = idsOf(state.config.roster, [signer]);
  switch (report.kind) {
    case "progress":
      return { state, effects: [{ kind: "progress", signer, stage: report.stage }] };
    case "key":
      return report.keyId === state.config.keyId
        ? collect(state, generation, signer, report, nowMs)
        : failed({ reason: "a signer made another key", signer: id });
    case "refusal": {
      const isOutage = ERRORS[report.problem.code].kind === "outage";
      return isOutage
        ? abandon(state, [signer], report.problem, nowMs)
        : failed({ reason: report.problem.code, signer: id });
    }
    case "fault":
      return blame(state, generation, signer, report, nowMs);
    case "failure": {
      const silent = report.silent.filter((peer) => peer !== signer && state.config.roster.has(peer));
      return silent.length > 0
        ? abandon(state, [signer], unavailable(state, silent), nowMs)
        : failed({ reason: report.reason, signer: id });
    }
    case "auxiliary":
    case "signature":
    case "message-signature":
    case "key-changed":
    case "key-state":
    case "presigned":
    case "presignatures-discarded":
      return failed({ reason: "a signer answered what was not asked", signer: id });
  }
};

const collect = (
  state: KeyCoordinator,
  generation: Generation,
  signer: PartyIndex,
  { publicKey, chainCode }: Extract<SessionReport, { readonly kind: "key" }>,
  nowMs: number,
): KeyStep => {
  const done = new Map(generation.done).set(signer, { publicKey, chainCode });
  const open = new Set(generation.open);
  open.delete(signer);
  const next: KeyCoordinator = {
    ...state,
    phase: { kind: "generating", generation: { ...generation, done, open } },
  };
  if (open.size > 0) return { state: next, effects: [] };
  const seen = new Set(
    [...done.values()].map((key) => bytesToHex(key.publicKey) + bytesToHex(key.chainCode)),
  );
  return seen.size === 1
    ? activate(next, publicKey, nowMs)
    : abandon(next, [], problem("KeyGenerationFailed", { reason: "the signers hold different keys" }), nowMs);
};

const blame = (
  state: KeyCoordinator,
  { key }: Generation,
  signer: PartyIndex,
  { fault }: Extract<SessionReport, { readonly kind: "fault" }>,
  nowMs: number,
): KeyStep => {
  const { roster } = state.config;
  const isReal = isGrounded(roster, [...roster.keys()], fault);
  const [culprit] = idsOf(roster, [isReal ? fault.culprit : signer]);
  const reason = isReal ? `${culprit} deviated from the protocol` : `${culprit} blamed without evidence`;
  const next = abandon(state, [signer], problem("KeyGenerationFailed", { reason, signer: culprit }), nowMs);
  const record: Effect = { kind: "fault", reporter: signer, session: key, fault };
  return { state: next.state, effects: [...(isReal ? [record] : []), ...next.effects] };
};

const answered = (
  state: KeyCoordinator,
  signer: PartyIndex,
  keyState: "absent" | "pending" | "active",
  nowMs: number,
): KeyStep => {
  const { phase, config } = state;
  if (phase.kind === "generating" || phase.kind === "closed" || !phase.left.has(signer)) {
    return { state, effects: [] };
  }
  const left = new Set(phase.left);
  left.delete(signer);
  if (phase.kind === "activating") {
    if (keyState !== "active") {
      const [id] = idsOf(config.roster, [signer]);
      const details = { reason: "a signer lost its share before the key was active", signer: id };
      return abandon(state, [], problem("KeyGenerationFailed", details), nowMs);
    }
    if (left.size > 0) return { state: { ...state, phase: { ...phase, left } }, effects: [] };
    const result = { keyId: config.keyId, publicKey: phase.publicKey };
    return close(state, [{ kind: "done", result }]);
  }
  if (left.size > 0) return { state: { ...state, phase: { ...phase, left } }, effects: [] };
  return phase.kind === "clearing" ? generate(state, nowMs) : close(state, []);
};

/** A refused discard leaves a share that is active and belongs to no wallet: harmless, and nothing to wait for. */
const refused = (state: KeyCoordinator, signer: PartyIndex, reason: Problem, nowMs: number): KeyStep => {
  if (state.phase.kind === "discarding") return answered(state, signer, "absent", nowMs);
  if (state.phase.kind === "generating" || state.phase.kind === "closed") return { state, effects: [] };
  const [id] = idsOf(state.config.roster, [signer]);
  const details = { reason: reason.code, signer: id };
  return abandon(state, [], problem("KeyGenerationFailed", details), nowMs);
};

const tick = (state: KeyCoordinator, nowMs: number): KeyStep => {
  const { phase } = state;
  if (phase.kind === "discarding" && nowMs >= phase.untilMs) return close(state, []);
  if (phase.kind !== "generating") return again(state, nowMs);
  const { deadlineMs, open } = phase.generation;
  if (nowMs < deadlineMs) return { state, effects: [{ kind: "wake", atMs: deadlineMs }] };
  return abandon(state, [], unavailable(state, [...open]), nowMs);
};
