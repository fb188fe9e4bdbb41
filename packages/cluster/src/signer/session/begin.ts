import { type ErrorCode, type Problem, problem } from "@conclave/custody";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ComputeTask } from "../../compute/task.ts";
import { isSameLife, type Lives } from "../../control/lives.ts";
import { type CallId, sessionKey } from "../../control/session-key.ts";
import type { SignerEffect } from "../effect.ts";
import {
  ENVELOPES_PER_PEER_MAX,
  SESSION_LIFETIME_MS_MAX,
  SESSION_MEMORY_MS,
  SESSIONS_MAX,
} from "../limits.ts";
import { lookUp } from "../records/persistent-map.ts";
import { RECORDS } from "../records/record.ts";
import { type OpenSession, type SignerState, type SignerStep, withSession } from "../state.ts";
import { isSessionForgotten } from "./forgotten.ts";
import { takeMail, type Waiting } from "./mail.ts";
import { hasMessageId } from "./message-ids.ts";
import { hasNoRoom, withId } from "./remembered-ids.ts";

/** Ends a call with a refusal: nothing was begun, and nothing is remembered. */
export const refuse = (state: SignerState, call: CallId, reason: Problem): SignerStep => ({
  state,
  effects: [{ kind: "report", call, report: { kind: "refusal", problem: reason } }],
});

interface Asked {
  readonly session: Uint8Array;
  readonly lives: Lives;
  readonly expiresAtMs: number;
}

/**
 * The reason to refuse a deadline; undefined when it is accepted. The refusal shows this signer's clock, by which the
 * caller names its next deadline.
 */
export const whyNotUntil = (
  expiresAtMs: number,
  lifetimeMsMax: number,
  nowMs: number,
): Problem | undefined => {
  if (expiresAtMs <= nowMs) return problem("SessionExpired", { clockMs: nowMs });
  const exact = `The session's deadline is more than ${lifetimeMsMax / 1000} s away, by this signer's clock.`;
  return expiresAtMs > nowMs + lifetimeMsMax
    ? problem("DeadlineTooFar", { clockMs: nowMs }, exact)
    : undefined;
};

/** The refusal of a session that breaks a rule of every protocol; undefined when it breaks none. */
export const whyNotBegin = (
  state: SignerState,
  { session, lives, expiresAtMs }: Asked,
  nowMs: number,
): Problem | undefined => {
  const refusal = (code: ErrorCode, exact?: string): Problem => problem(code, {}, exact);
  const given = sessionKey(session);
  if (given === undefined) return refusal("InvalidBody", "A session id has 32 bytes.");
  if (!Number.isSafeInteger(expiresAtMs)) return refusal("InvalidBody", "A session's deadline is a date.");
  if (!isSameLife(state.life, lives.get(state.config.self))) {
    return problem("SignerLifeUnknown", { life: bytesToHex(state.life) });
  }
  const untimely = whyNotUntil(expiresAtMs, SESSION_LIFETIME_MS_MAX, nowMs);
  if (untimely !== undefined) return untimely;
  const isUsed =
    isSessionForgotten(state, expiresAtMs) ||
    isRemembered(state, given) ||
    hasMessageId(state.messageSessions, given) ||
    lookUp(state.waived, given) !== undefined;
  if (isUsed) return refusal("SessionReused");
  const isFull = state.sessions.size >= SESSIONS_MAX || hasNoRoom(state.remembered, nowMs);
  return isFull ? refusal("TooManySessions") : undefined;
};

const isRemembered = ({ history }: SignerState, given: string): boolean =>
  [RECORDS.session, RECORDS.tombstone].some(({ name }) => history(name(given)) !== undefined);

/** Unix milliseconds: until then a session's id is refused. */
export const forgetSessionAtMs = (expiresAtMs: number): number => expiresAtMs + SESSION_MEMORY_MS;

/**
 * Marks a session's id as used, so that a replay is refused even after a restart (INV-2). The write must come before
 * anything else in the session, or in the same step.
 */
export const remembering = (
  state: SignerState,
  { given, expiresAtMs }: Pick<OpenSession, "given" | "expiresAtMs">,
  nowMs: number,
) => {
  const forgetAtMs = forgetSessionAtMs(expiresAtMs);
  const remembered = withId(state.remembered, forgetAtMs, nowMs);
  const value = RECORDS.session.write({ version: 1, forgetAtMs });
  const write = { record: RECORDS.session.name(given), value, forgetAtMs };
  return { state: { ...state, remembered }, write } as const;
};

/** Marks a session's id as used, durably. */
export const remember = (
  before: SignerState,
  session: Pick<OpenSession, "given" | "expiresAtMs">,
  nowMs: number,
): SignerStep => {
  const { state, write } = remembering(before, session, nowMs);
  return { state, effects: [{ kind: "store", ...write }] };
};

/** Begins a session. Before anything else, its id is durably marked as used. */
export const begin = (before: SignerState, session: OpenSession, nowMs: number): SignerStep =>
  remember(withSession(before, session), session, nowMs);

/** Delivers an envelope to the host, or drops it when its sender has exceeded the limit, which suffices for any protocol. */
export const deliverTo = (
  session: OpenSession,
  { from, envelope }: Pick<Waiting, "from" | "envelope">,
): { readonly session: OpenSession; readonly effects: readonly SignerEffect[] } => {
  const count = (session.delivered.get(from) ?? 0) + 1;
  const isMember = session.parties.includes(from);
  if (!isMember || count > ENVELOPES_PER_PEER_MAX) return { session, effects: [] };
  return {
    session: { ...session, delivered: new Map(session.delivered).set(from, count) },
    effects: [{ kind: "compute", session: session.run, task: { kind: "deliver", envelope } }],
  };
};

/** Opens a begun session in the host, and delivers the envelopes that came before, in order of arrival. */
export const openInHost = (state: SignerState, begun: OpenSession, task: ComputeTask): SignerStep => {
  const { mail, taken } = takeMail(state.mail, begun.run);
  const effects: SignerEffect[] = [{ kind: "compute", session: begun.run, task }];
  let session: OpenSession = { ...begun, isOpened: true };
  for (const waiting of taken) {
    const delivered = deliverTo(session, waiting);
    session = delivered.session;
    effects.push(...delivered.effects);
  }
  return { state: withSession({ ...state, mail }, session), effects };
};

/** A session at its beginning. */
export const newSession = (
  asked: Pick<OpenSession, "run" | "attempt" | "call" | "parties" | "expiresAtMs" | "purpose" | "stage"> & {
    readonly session: Uint8Array;
  },
): OpenSession => {
  const { run, attempt, call, parties, expiresAtMs, purpose, stage } = asked;
  return {
    run,
    attempt,
    given: bytesToHex(asked.session),
    call,
    parties,
    expiresAtMs,
    purpose,
    isOpened: false,
    stage,
    awaiting: [],
    phase: 0,
    announcements: [],
    delivered: new Map(),
  };
};
