import { type ErrorCode, fail, ok, type Problem, problem, type Result } from "@conclave/custody";
import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { SignerEvent } from "../event.ts";
import { MESSAGE_SESSION_MS_MAX, MESSAGE_SESSIONS_REMEMBERED_MAX } from "../limits.ts";
import { lookUp, put } from "../records/persistent-map.ts";
import type { KeyRecord } from "../records/record.ts";
import { authorisedMessage } from "../session/authorise.ts";
import { newSession, openInHost, refuse, whyNotBegin } from "../session/begin.ts";
import { runKey } from "../session/run-id.ts";
import { type SignerState, type SignerStep, withSession } from "../state.ts";
import { quorumOf } from "./begin-signing.ts";

type BeginMessageSigning = Extract<SignerEvent, { readonly kind: "begin-message-signing" }>;

/** Before the first round. */
export const MESSAGE_STAGE = "frost";

/**
 * Begins to sign one message with FROST: the one that the authority authorised, which this signer has read in full
 * (INV-3, INV-8).
 *
 * Nothing of such a session is durable, and nothing needs to be. Its nonces are drawn when it opens and live in the
 * compute host's memory alone, so a session that begins again after a restart has others (INV-2). What a second
 * beginning could do is make us look as if we had told our peers two things in one run (INV-7). Two beginnings meet in
 * one run only with the same deadline, which the run's id binds; and a deadline that the life before could have
 * accepted is refused for as long as such sessions last after a start. Within one life the id is remembered until then.
 */
export const beginMessageSigning = (
  state: SignerState,
  event: BeginMessageSigning,
  nowMs: number,
): SignerStep => {
  const { call, session: given, keyId, expiresAtMs } = event;
  const reason = whyNotBegin(state, event, nowMs) ?? whyNotNow(state, expiresAtMs, nowMs);
  if (reason !== undefined) return refuse(state, call, reason);
  const understood = understand(state, event, nowMs);
  if (!understood.ok) return refuse(state, call, understood.problem);
  const quorum = quorumOf(state, event.quorum, nowMs);
  if (!quorum.ok) return refuse(state, call, quorum.problem);

  const { key, message } = understood.value;
  const signers = quorum.value;
  const { scheme, publicKey, share } = key;
  const run = runKey(state.config, {
    given,
    expiresAtMs,
    protocol: "message",
    keyId,
    scheme,
    epoch: key.epoch,
    parties: signers,
    agreed: [sha256(message), publicKey],
  });
  const purpose = { protocol: "message", keyId, publicKey } as const;
  const session = newSession({ ...event, run, parties: signers, purpose, stage: MESSAGE_STAGE });
  const messageSessions = put(state.messageSessions, session.given, expiresAtMs);
  const begun = withSession({ ...state, messageSessions }, session);
  return openInHost(begun, session, { kind: "open-frost", signers, scheme, key: share, message });
};

/** Why a session with this deadline may not begin now; undefined when it may. */
const whyNotNow = (
  { startedAtMs = 0, messageSessions }: SignerState,
  expiresAtMs: number,
  nowMs: number,
): Problem | undefined => {
  const refusal = (code: ErrorCode, exact?: string): Problem => problem(code, {}, exact);
  if (expiresAtMs > nowMs + MESSAGE_SESSION_MS_MAX) {
    const exact = `The deadline of a session for a message is at most ${MESSAGE_SESSION_MS_MAX} ms away.`;
    return refusal("InvalidBody", exact);
  }
  if (expiresAtMs <= startedAtMs + MESSAGE_SESSION_MS_MAX) {
    return refusal("SessionReused", "The signer started just now; this session may have begun before.");
  }
  return messageSessions.size >= MESSAGE_SESSIONS_REMEMBERED_MAX ? refusal("TooManySessions") : undefined;
};

/** What is signed, and with which share: both as the authority says. */
const understand = (
  state: SignerState,
  event: BeginMessageSigning,
  nowMs: number,
): Result<{ readonly key: KeyRecord; readonly message: Uint8Array }> => {
  const authorised = authorisedMessage(state.config, event.authorisation, nowMs);
  if (!authorised.ok) return authorised;
  const { keyId, scheme, message } = authorised.value.value;
  if (keyId !== event.keyId) {
    return fail("AuthorisationInvalid", {}, "The authorisation is for another key.");
  }
  const key = lookUp(state.keys, keyId);
  if (key?.state !== "active") return fail("KeyUnknown");
  return key.scheme === scheme ? ok({ key, message: hexToBytes(message) }) : fail("KeySchemeMismatch");
};
