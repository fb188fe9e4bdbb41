import { ERRORS, type ErrorCode, type Problem, problem } from "@conclave/custody";
import type { Entropy, ImportRefusal, PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { AskedOf, Command } from "../../control/command.ts";
import type { SessionReport } from "../../control/report.ts";
import type { SessionKey } from "../../control/session-key.ts";
import { clockNotes, isOfClock, learnClock, type OwnClock } from "../clocks.ts";
import type { CoordinatorEffect, KeyGenerationResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { ASK_AGAIN_MS, DISCARD_MS_MAX } from "../limits.ts";
import { absentFrom, idsOf, type Members } from "../quorum/choose.ts";
import { isOfLife, mayPass } from "../refusal.ts";
import {
  beginOnAll,
  blameOnRecord,
  cancelOpen,
  misfortuneOf,
  openBut,
  type RosterRun,
  unavailable,
} from "../roster-run.ts";
import type { Standings } from "../standings.ts";
import { type ImportRefusals, importRefused, mostSaid } from "./import-refusal.ts";

/** Refusals that the client of an import can act on. */
const FOR_CALLERS: ReadonlySet<ErrorCode> = new Set([
  "KeyImportDisabled",
  "KeyImportUnavailable",
  "KeyImportRefused",
  "KeyImportEnvelopesUsed",
]);

/** The input of an import: the encrypted shares of the key, one for each signer of the roster. */
export interface BroughtKey {
  readonly envelopes: ReadonlyMap<PartyIndex, Uint8Array>;
  /** t */
  readonly threshold: number;
  /** ids of the keys that the owner already has, by public key in lower-case hex: none of these is imported again */
  readonly taken: ReadonlyMap<string, string>;
}

export interface KeyCoordinatorConfig extends OwnClock, AskedOf<"key-generation"> {
  readonly roster: Members;
  readonly keyId: string;
  /** the key to import, with an AuthorisedImport; absent: the signers generate the key */
  readonly brought?: BroughtKey;
  readonly entropy: Entropy;
  /** KEY_ATTEMPT_MS by default */
  readonly attemptMs: number;
  /**
   * Whether this coordinator yields to another one for which signers are making this key: it ends without a result, and
   * its caller looks again later. If not, the key has failed, as it does when a single signer claims that the key
   * exists.
   */
  readonly yields: boolean;
}

/** A key that a signer holds according to ListKeys; a signer without an entry reported that it holds no share of it. */
export interface HeldKey {
  readonly state: "pending" | "active";
  readonly publicKey: Uint8Array;
}

interface Generation extends RosterRun {
  /** signers that refused an import: they hold no share */
  readonly refused: ImportRefusals;
  readonly done: ReadonlyMap<PartyIndex, { readonly publicKey: Uint8Array; readonly chainCode: Uint8Array }>;
}

/**
 * The phase of a key. Once any signer may hold an active share, the key is complete, and the coordinator can only
 * activate it everywhere; before that, it can only discard it.
 */
type Phase =
  /** discards the shares of an attempt whose coordinator died, before a new attempt */
  | { readonly kind: "clearing"; readonly left: ReadonlySet<PartyIndex>; readonly untilMs: number }
  | { readonly kind: "generating"; readonly generation: Generation }
  | { readonly kind: "activating"; readonly left: ReadonlySet<PartyIndex>; readonly publicKey: Uint8Array }
  | { readonly kind: "discarding"; readonly left: ReadonlySet<PartyIndex>; readonly untilMs: number }
  | { readonly kind: "closed" };

/** Generates one key on all signers, or imports a client's; if that fails, no signer keeps a share. */
export interface KeyCoordinator {
  readonly config: KeyCoordinatorConfig;
  readonly live: ReadonlySet<PartyIndex>;
  readonly phase: Phase;
  readonly waitingFor: string | undefined;
  /** standings of signers; the next coordinator of the process takes them over */
  readonly health: Standings;
  /** whether it began again because of a signer's clock, which it does once */
  readonly isRetimed: boolean;
  /** signers that reported another life than the command named; the coordinator began again once for each */
  readonly renamed: ReadonlySet<PartyIndex>;
}

type Effect = CoordinatorEffect<KeyGenerationResult>;
export interface KeyStep {
  readonly state: KeyCoordinator;
  readonly effects: readonly Effect[];
}

/**
 * Starts to make a key, or continues what an earlier coordinator of the same key left.
 *
 * @param known the live signers, what each holds of this key, and the standings
 * @param nowMs milliseconds of the monotonic clock
 * @returns "failed" with SignersUnavailable at once, and nothing begun, unless every signer is live
 */
export const openKeyCoordinator = (
  config: KeyCoordinatorConfig,
  known: {
    readonly live: readonly PartyIndex[];
    readonly held: ReadonlyMap<PartyIndex, HeldKey>;
    readonly health?: Standings;
  },
  nowMs: number,
): KeyStep => {
  const state: KeyCoordinator = {
    config,
    live: new Set(known.live),
    phase: { kind: "closed" },
    waitingFor: undefined,
    health: known.health ?? new Map(),
    isRetimed: false,
    renamed: new Set(),
  };
  const held = [...known.held.values()];
  const [first] = held;
  const keys = new Set(held.map(({ publicKey }) => bytesToHex(publicKey)));
  const isComplete = held.some((key) => key.state === "active") || held.length === config.roster.size;
  if (first !== undefined && isComplete && keys.size === 1) {
    const isActive = held.some((key) => key.state === "active");
    const duplicate = isActive ? undefined : duplicateOf(config, first.publicKey);
    if (duplicate !== undefined) return giveUp(state, [], duplicate, new Set(config.roster.keys()), nowMs);
    return activate(state, first.publicKey, nowMs);
  }
  const absent = absentFrom(config.roster, state.live);
  if (absent.length > 0)
    return giveUp(state, [], unavailable(config.roster, absent), new Set(known.held.keys()), nowMs);
  if (first === undefined) return generate(state, nowMs);
  return clear(state, new Set(known.held.keys()), nowMs);
};

/** The coordinator's step on one event. */
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
        : abandon(state, [event.signer], unavailable(state.config.roster, [event.signer]), nowMs);
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
    case "switched":
      return { state, effects: [] };
    case "tick":
      return tick(state, nowMs);
    case "stop":
      return close(state, cancelAll(state, []));
  }
};

/** The error code depends on whether the key was imported or generated. */
const failureCode = ({ config }: KeyCoordinator): "KeyImportFailed" | "KeyGenerationFailed" =>
  config.brought === undefined ? "KeyGenerationFailed" : "KeyImportFailed";

/**
 * The refusal of a key that the owner already has. The coordinator checks it before any signer activates the key, so
 * that all shares of it are discarded.
 */
const duplicateOf = ({ brought }: KeyCoordinatorConfig, publicKey: Uint8Array): Problem | undefined => {
  const id = brought?.taken.get(bytesToHex(publicKey));
  return id === undefined ? undefined : problem("KeyImportDuplicate", { duplicate: { id } });
};

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

const commandOf = (
  { authorisation, brought }: KeyCoordinatorConfig,
  signer: PartyIndex,
  expiresAtMs: number,
): Command => {
  if (brought === undefined) return { kind: "key-generation", authorisation, expiresAtMs };
  // a signer refuses an empty envelope, as the authorisation has the digest of its share
  const envelope = brought.envelopes.get(signer) ?? new Uint8Array(0);
  return { kind: "key-import", authorisation, envelope, expiresAtMs };
};

const generate = (state: KeyCoordinator, nowMs: number): KeyStep => {
  const { config } = state;
  const command = (signer: PartyIndex, expiresAtMs: number) => commandOf(config, signer, expiresAtMs);
  const { run, effects } = beginOnAll(config, command, state.health, nowMs);
  const generation: Generation = { ...run, done: new Map(), refused: new Map() };
  return { state: { ...state, phase: { kind: "generating", generation } }, effects };
};

const cancelAll = ({ phase }: KeyCoordinator, ended: readonly PartyIndex[]): readonly Effect[] =>
  phase.kind === "generating" ? cancelOpen(phase.generation, ended) : [];

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

/** Discards earlier shares. A signer that does not answer delays the key by at most the length of an attempt. */
const clear = (state: KeyCoordinator, left: ReadonlySet<PartyIndex>, nowMs: number): KeyStep => {
  const phase: Phase = { kind: "clearing", left, untilMs: nowMs + state.config.attemptMs };
  return ask({ ...state, phase }, nowMs);
};

const activate = (state: KeyCoordinator, publicKey: Uint8Array, nowMs: number): KeyStep => {
  const left = new Set(state.config.roster.keys());
  return ask({ ...state, phase: { kind: "activating", left, publicKey } }, nowMs);
};

/** Asks all remaining signers of this phase, whether they are reported live or not: only an answer is certain. */
const ask = (state: KeyCoordinator, nowMs: number): KeyStep => {
  const { phase, config } = state;
  if (phase.kind === "generating" || phase.kind === "closed") return { state, effects: [] };
  const kind = phase.kind === "activating" ? "activate" : "discard";
  const effects: Effect[] = [...phase.left].map((signer) => ({ kind, signer, keyId: config.keyId }));
  effects.push({ kind: "wake", atMs: nowMs + ASK_AGAIN_MS });
  return { state, effects };
};

/** Asks the remaining signers again, and reports which signers the key waits for. */
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
    abandon(state, [signer], problem(failureCode(state), details), nowMs);
  const [id] = idsOf(state.config.roster, [signer]);
  switch (report.kind) {
    case "progress":
      return { state, effects: [{ kind: "progress", signer, stage: report.stage }] };
    case "key":
      return report.keyId === state.config.keyId
        ? collect(state, generation, signer, report, nowMs)
        : failed({ reason: "a signer made another key", signer: id });
    case "import-refused":
      return state.config.brought === undefined
        ? failed({ reason: "a signer answered what was not asked", signer: id })
        : refuse(state, state.config.brought, generation, signer, report.refusals, nowMs);
    case "refusal": {
      const { code } = report.problem;
      // discarding the key would end the run of the other coordinator
      if (code === "KeyExists" && state.config.yields) return close(state, cancelAll(state, [signer]));
      if (isOfClock(code) && !state.isRetimed) return retime(state, signer, report.problem, nowMs);
      if (isOfLife(code) && !state.renamed.has(signer)) {
        return beginAgain({ ...state, renamed: new Set(state.renamed).add(signer) }, signer, nowMs);
      }
      const isForCaller = ERRORS[code].kind === "outage" || FOR_CALLERS.has(code);
      const clocks = isOfClock(code)
        ? { clocks: clockNotes(state.config.roster, state.health, nowMs) }
        : undefined;
      const details = { ...report.problem.details, signer: id, ...clocks };
      const named = problem(code, details, report.problem.message);
      return isForCaller ? abandon(state, [signer], named, nowMs) : failed({ reason: code, signer: id });
    }
    case "fault":
    case "failure": {
      const { reason, record } = misfortuneOf(
        state.config.roster,
        generation,
        signer,
        report,
        failureCode(state),
      );
      const health = blameOnRecord(state.health, record, nowMs);
      const next = abandon({ ...state, health }, [signer], reason, nowMs);
      return { state: next.state, effects: [...record, ...next.effects] };
    }
    default:
      return failed({ reason: "a signer answered what was not asked", signer: id });
  }
};

/** A signer refused because of a clock alone: the next attempt has a deadline by the clock that it reported. */
const retime = (state: KeyCoordinator, signer: PartyIndex, reported: Problem, nowMs: number): KeyStep => {
  const health = learnClock(state.health, signer, reported, nowMs, state.config);
  return beginAgain({ ...state, health, isRetimed: true }, signer, nowMs);
};

/** Discards the shares of this attempt at all signers, and begins again. */
const beginAgain = (state: KeyCoordinator, refusing: PartyIndex, nowMs: number): KeyStep => {
  const next = clear(state, new Set(state.config.roster.keys()), nowMs);
  return { state: next.state, effects: [...cancelAll(state, [refusing]), ...next.effects] };
};

const collect = (
  state: KeyCoordinator,
  generation: Generation,
  signer: PartyIndex,
  { publicKey, chainCode }: Extract<SessionReport, { readonly kind: "key" }>,
  nowMs: number,
): KeyStep => {
  const done = new Map(generation.done).set(signer, { publicKey, chainCode });
  return settle(state, { ...generation, done, open: openBut(generation, signer) }, nowMs);
};

/** Handles a refusal of an import: all honest signers refuse alike, and keep no share. */
const refuse = (
  state: KeyCoordinator,
  { threshold }: BroughtKey,
  generation: Generation,
  signer: PartyIndex,
  refusals: readonly ImportRefusal[],
  nowMs: number,
): KeyStep => {
  const refused = new Map(generation.refused).set(signer, refusals);
  const next: Generation = { ...generation, refused, open: openBut(generation, signer) };
  const most = mostSaid(refused);
  if (most.count < threshold) return settle(state, next, nowMs);
  const heard: KeyCoordinator = { ...state, phase: { kind: "generating", generation: next } };
  return abandon(heard, [], importRefused(state.config.roster, most.refusals), nowMs);
};

/** Continues once every signer has sent its final report. */
const settle = (before: KeyCoordinator, generation: Generation, nowMs: number): KeyStep => {
  const { open, done, refused } = generation;
  const state: KeyCoordinator = { ...before, phase: { kind: "generating", generation } };
  if (open.size > 0) return { state, effects: [] };
  if (refused.size > 0) {
    const signers = idsOf(state.config.roster, [...refused.keys()]);
    const reason = "some signers refuse what others take";
    return abandon(state, [], problem(failureCode(state), { reason, signers }), nowMs);
  }
  const [key] = done.values();
  const seen = new Set(
    [...done.values()].map((each) => bytesToHex(each.publicKey) + bytesToHex(each.chainCode)),
  );
  if (key === undefined || seen.size > 1) {
    const details = { reason: "the signers hold different keys" };
    return abandon(state, [], problem(failureCode(state), details), nowMs);
  }
  const duplicate = duplicateOf(state.config, key.publicKey);
  return duplicate === undefined
    ? activate(state, key.publicKey, nowMs)
    : abandon(state, [], duplicate, nowMs);
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
      return abandon(state, [], problem(failureCode(state), details), nowMs);
    }
    if (left.size > 0) return { state: { ...state, phase: { ...phase, left } }, effects: [] };
    const result = { keyId: config.keyId, publicKey: phase.publicKey };
    return close(state, [{ kind: "done", result }]);
  }
  if (left.size > 0) return { state: { ...state, phase: { ...phase, left } }, effects: [] };
  return phase.kind === "clearing" ? generate(state, nowMs) : close(state, []);
};

/**
 * A signer that is too busy is asked again. After any other refusal of a discard, the signer may keep an active share
 * that belongs to no wallet. That is harmless, so the coordinator does not wait for it.
 */
const refused = (state: KeyCoordinator, signer: PartyIndex, reason: Problem, nowMs: number): KeyStep => {
  if (mayPass(reason.code)) return { state, effects: [{ kind: "wake", atMs: nowMs + ASK_AGAIN_MS }] };
  if (state.phase.kind === "discarding") return answered(state, signer, "absent", nowMs);
  if (state.phase.kind === "generating" || state.phase.kind === "closed") return { state, effects: [] };
  const [id] = idsOf(state.config.roster, [signer]);
  const details = { reason: reason.code, signer: id };
  return abandon(state, [], problem(failureCode(state), details), nowMs);
};

const tick = (state: KeyCoordinator, nowMs: number): KeyStep => {
  const { phase } = state;
  if (phase.kind === "discarding" && nowMs >= phase.untilMs) return close(state, []);
  if (phase.kind === "clearing" && nowMs >= phase.untilMs) {
    return giveUp(state, [], unavailable(state.config.roster, [...phase.left]), phase.left, nowMs);
  }
  if (phase.kind !== "generating") return again(state, nowMs);
  const { deadlineMs, open } = phase.generation;
  if (nowMs < deadlineMs) return { state, effects: [{ kind: "wake", atMs: deadlineMs }] };
  return abandon(state, [], unavailable(state.config.roster, [...open]), nowMs);
};
