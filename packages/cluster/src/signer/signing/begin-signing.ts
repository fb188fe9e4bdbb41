import { ok, type Problem, problem, type Result, type SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Asked } from "../event.ts";
import { MESSAGE_SESSION_MS_MAX, SESSIONS_MAX } from "../limits.ts";
import { whyUnconfirmed } from "../older-store/lost-time.ts";
import { newSession, openInHost, refuse, remember, whyNotBegin, whyNotUntil } from "../session/begin.ts";
import { isFullOfMessages, withMessageId } from "../session/message-ids.ts";
import { runKey } from "../session/run-id.ts";
import {
  andThen,
  type SignerState,
  type SignerStep,
  unchanged,
  withSession,
  withSigningCall,
} from "../state.ts";
import { infoDigest } from "./info-digest.ts";
import { countRefusal, signablesOf, usablePresignatures } from "./pooled-presignatures.ts";
import { type SigningCall, type SigningPart, signsMessagesOnly } from "./signing-call.ts";
import { holdersOfKey, quorumOf } from "./signing-material.ts";
import { openFrostSessions, releaseAtOnce } from "./spend-and-release.ts";
import { type Understood, understand } from "./understand.ts";

/** Stages that a session reports before its first message. */
export const FROST_STAGE = "frost";
const PRESIGN_STAGE = "presign";
const SIGN_STAGE = "sign";

/**
 * Begins to sign what the authority authorised, once this signer has read it whole (INV-3, INV-8): one command begins a
 * session for each signable.
 *
 * Sessions that only sign messages, with FROST, leave no record of their own, and need none. Their nonces are drawn
 * when they open and live in the compute host's memory alone, so a session that begins again after a restart has others
 * (INV-2). A second beginning must not make us look as if we had sent our peers two different messages in one run
 * (INV-7). Two beginnings are the same run only with the same deadline and in the same life of this signer, as the
 * run's id binds both. Within one life the id is remembered until the deadline has passed; after that, a deadline that
 * a forgotten session may have had is refused (message-ids.ts).
 */
export const beginSigning = (before: SignerState, asked: Asked<"signing">, nowMs: number): SignerStep => {
  const { call } = asked;
  const reason = whyNotBegin(before, asked, nowMs);
  if (reason !== undefined) return refuse(before, call, reason);
  const understood = understand(before, asked, nowMs);
  if (!understood.ok) return refuse(before, call, understood.problem);
  const state = { ...before, authorisedAtMs: understood.value.signedAtMs };
  const late = whyNotNow(state, understood.value, asked.expiresAtMs, nowMs);
  if (late !== undefined) return refuse(state, call, late);
  const keys = understood.value.signables.map(({ key }) => key);
  const quorum = quorumOf(state, asked.quorum, keys);
  if (!quorum.ok) return refuse(state, call, quorum.problem);

  const signers = quorum.value;
  if (asked.presignatures.length === 0) {
    const signing = signingCallOf(state, asked, understood.value, signers);
    return signing.ok
      ? beginInteractive(state, signing.value, understood.value, nowMs)
      : refuse(state, call, signing.problem);
  }
  const taking = signablesOf(asked.presignatures, understood.value.signables);
  if (!taking.ok) return refuse(state, call, taking.problem);
  const usable = usablePresignatures(state, asked.presignatures, taking.value, signers, nowMs);
  if (!usable.ok) {
    return refuse({ ...state, pool: countRefusal(state.pool, usable.problem) }, call, usable.problem);
  }
  const signing = signingCallOf(state, asked, understood.value, signers);
  return signing.ok
    ? releaseAtOnce(withSessions(state, signing.value), signing.value, usable.value, nowMs)
    : refuse(state, call, signing.problem);
};

/** The reason not to begin these sessions now; undefined when they may begin. */
const whyNotNow = (
  state: SignerState,
  understood: Understood,
  expiresAtMs: number,
  nowMs: number,
): Problem | undefined => {
  const { signables } = understood;
  if (state.sessions.size + signables.length > SESSIONS_MAX) return problem("TooManySessions");
  const isEcdsa = signables.some(({ digest }) => digest !== undefined);
  if (isEcdsa && state.auxiliary === undefined) return problem("AuxiliaryMissing");
  const reason = signsMessagesOnly(understood) ? whyNoMessage(state, expiresAtMs, nowMs) : undefined;
  return reason ?? whyUnconfirmed(state);
};

/** The reason not to begin a session that signs messages alone; undefined when it may begin. */
const whyNoMessage = (state: SignerState, expiresAtMs: number, nowMs: number): Problem | undefined => {
  const untimely = whyNotUntil(expiresAtMs, MESSAGE_SESSION_MS_MAX, nowMs);
  if (untimely !== undefined) return untimely;
  if (expiresAtMs <= state.messageSessions.refusedToMs) {
    const exact = "The signer's clock went back; this session may have begun before.";
    return problem("SessionReused", {}, exact);
  }
  return isFullOfMessages(state.messageSessions) ? problem("TooManySessions") : undefined;
};

const signingCallOf = (
  state: SignerState,
  asked: Asked<"signing">,
  understood: Understood,
  signers: readonly PartyIndex[],
): Result<SigningCall> => {
  const { call, session, expiresAtMs, presignatures } = asked;
  const { request, lapsesAtMs, dead, signables } = understood;
  const whole = wholeOf(asked.authorisation, understood);
  const parts: SigningPart[] = [];
  let pooled = 0;
  for (const [at, each] of signables.entries()) {
    const presignature = each.digest === undefined ? undefined : presignatures[pooled++];
    const place = Uint8Array.of(at);
    const runId = runOf(state, asked, { ...each, presignature }, signers, [whole, place]);
    if (!runId.ok) return runId;
    const isReady = each.digest === undefined || presignature !== undefined;
    parts.push({ ...each, ...runId.value, presignature, isReady, signature: undefined });
  }
  const given = bytesToHex(session);
  return ok({ call, given, expiresAtMs, signers, request, lapsesAtMs, dead, parts, isReleased: false });
};

/**
 * A digest of the authorisation, of all signables together, and of the part that this session signs. Signers that
 * understood a transaction differently are in different runs, even for a part of it. So are signers that received
 * different requests: each would bind another one (INV-4). It is one value, so that evidence finds the other values at
 * their places.
 */
const wholeOf = ({ payload }: SignedAuthorisation, { signables, part }: Understood): Uint8Array => {
  const all = signables.reduce((before, { keyId, signable }) => {
    const { scheme, bytes, merkleRoot } = signable;
    const tweak = merkleRoot === undefined ? [] : [bytesToHex(merkleRoot)];
    const text = JSON.stringify([bytesToHex(before), keyId, scheme, bytesToHex(bytes), ...tweak]);
    return sha256(utf8ToBytes(text));
  }, sha256(payload));
  if (part === undefined) return all;
  const { from, count, whole } = part;
  return sha256(utf8ToBytes(JSON.stringify([bytesToHex(all), from, count, bytesToHex(whole)])));
};

const runOf = (
  { config, auxiliary }: SignerState,
  { session, lives, expiresAtMs }: Asked<"signing">,
  part: Pick<SigningPart, "keyId" | "key" | "digest" | "signable" | "presignature">,
  signers: readonly PartyIndex[],
  agreed: readonly Uint8Array[],
) => {
  const { keyId, key, digest, signable, presignature } = part;
  return runKey(config, {
    given: session,
    expiresAtMs,
    protocol: presignature === undefined ? "signing" : "pooled-signing",
    keyId,
    scheme: key.scheme,
    epoch: key.epoch,
    parties: signers,
    holders: holdersOfKey(key),
    lives,
    agreed: [
      ...agreed,
      infoDigest(key),
      ...(digest === undefined ? [sha256(signable.bytes)] : [digest.bytes]),
      ...(digest === undefined || auxiliary === undefined ? [] : [auxiliary.digest]),
      ...(presignature === undefined ? [] : [hexToBytes(presignature)]),
      ...(signable.merkleRoot === undefined ? [] : [signable.merkleRoot]),
    ],
  });
};

/** Adds a session for each part, not yet opened in the host. */
const withSessions = (state: SignerState, signing: SigningCall): SignerState => {
  const { call, given, expiresAtMs, signers } = signing;
  const session = hexToBytes(given);
  return signing.parts.reduce(
    (next, { run, attempt, keyId, key, presignature }, at) => {
      const purpose = { protocol: "signing", keyId, scheme: key.scheme, at } as const;
      const stage =
        key.scheme !== "CGGMP24" ? FROST_STAGE : presignature === undefined ? PRESIGN_STAGE : SIGN_STAGE;
      return withSession(
        next,
        newSession({ run, attempt, call, session, parties: signers, expiresAtMs, purpose, stage }),
      );
    },
    withSigningCall(state, signing),
  );
};

const beginInteractive = (
  before: SignerState,
  signing: SigningCall,
  understood: Understood,
  nowMs: number,
): SignerStep => {
  const state = withSessions(before, signing);
  if (signsMessagesOnly(understood)) {
    const { given, expiresAtMs } = signing;
    const messageSessions = withMessageId(state.messageSessions, given, expiresAtMs);
    const released = { ...signing, isReleased: true };
    return openFrostSessions(withSigningCall({ ...state, messageSessions }, released), released);
  }
  if (signing.parts.every(({ isReady }) => isReady)) return releaseAtOnce(state, signing, [], nowMs);
  return signing.parts
    .filter(({ isReady }) => !isReady)
    .reduce(
      (step, part) => andThen(step, (next) => openPresigning(next, signing, part)),
      remember(state, signing, nowMs),
    );
};

/**
 * Opens the session that makes a presignature for this request alone. The host keeps the presignature, and the release
 * of the signing call spends it.
 */
const openPresigning = (
  state: SignerState,
  { signers }: SigningCall,
  { run, key }: SigningPart,
): SignerStep => {
  const session = state.sessions.get(run);
  const { auxiliary } = state;
  if (session === undefined || auxiliary === undefined) return unchanged(state);
  return openInHost(state, session, {
    kind: "open-presigning",
    purpose: "request",
    signers,
    key: key.share,
    auxiliary: auxiliary.info,
  });
};
