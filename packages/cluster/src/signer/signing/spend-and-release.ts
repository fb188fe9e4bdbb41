import { problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { isObserved } from "../../compute/signing/observed-digest.ts";
import type { SignerEffect } from "../effect.ts";
import { TOMBSTONE_MEMORY_MS } from "../limits.ts";
import { countRelease } from "../older-store/spending.ts";
import { type WaitingPresignature, withSpent } from "../presigning/pool.ts";
import { RECORDS, type SpentRecord, type StoredRecord } from "../records/record.ts";
import { forgetSessionAtMs, openInHost, remembering } from "../session/begin.ts";
import {
  andThen,
  endWith,
  type SignerState,
  type SignerStep,
  unchanged,
  withSession,
  withSigningCall,
} from "../state.ts";
import { withBinding } from "./recent-bindings.ts";
import { bindingConflict, bindRequest } from "./request-binding.ts";
import type { SigningCall, SigningPart } from "./signing-call.ts";

interface Write {
  readonly record: string;
  readonly value: StoredRecord["value"];
}

/** A presignature of the pool, and the part for which it is spent. */
interface SpentPresignature {
  readonly id: string;
  readonly part: SigningPart;
  readonly waiting: WaitingPresignature;
  readonly tombstone: SpentRecord;
}

/**
 * Releases a signing call that need not wait: with presignatures of the pool, or with FROST alone. Each presignature
 * leaves the pool at once; then tombstones, session id and the exclusions of the request become durable in one step.
 * Only then is a partial signature made (INV-2, INV-4). The presignatures are spent even if the write fails.
 *
 * Signers that received different digests are in different runs, as the run id binds the digest: each makes at most one
 * partial signature with its share of a presignature, and partial signatures of different digests do not combine.
 *
 * @param presignatures in the order of the parts that take one
 */
export const releaseAtOnce = (
  before: SignerState,
  signing: SigningCall,
  presignatures: readonly WaitingPresignature[],
  nowMs: number,
): SignerStep => {
  const spent = spentPresignatures(signing, presignatures, nowMs);
  const { state: remembered, write } = remembering(before, signing, nowMs);
  const { state: binding, writes: bound } = bindRequestOf(remembered, signing);
  const released: SigningCall = { ...signing, isReleased: true };
  let state: SignerState = withSigningCall(binding, released);
  let count: Write | undefined;
  for (const { part, id } of countedParts(signing, spent)) {
    const counted = countRelease(state, part.run);
    const session = state.sessions.get(part.run);
    count = counted.write;
    state = counted.state;
    if (id !== undefined) state = { ...state, pool: withSpent(state.pool, id) };
    if (session !== undefined)
      state = withSession(state, { ...session, announcements: counted.announcements });
  }
  const buried = spent.map(({ id, tombstone }) => ({
    record: RECORDS.spent.name(id),
    value: RECORDS.spent.write(tombstone),
    forgetAtMs: tombstone.forgetAtMs,
  }));
  const puts = [write, ...buried, ...(count === undefined ? [] : [count]), ...bound];
  const effects: readonly SignerEffect[] = [{ kind: "batch", puts, erases: [], sync: true }];
  const pooled = spent.reduce((step, each) => andThen(step, (next) => openPooled(next, each)), {
    state,
    effects,
  });
  return andThen(pooled, (next) => openFrostSessions(next, released));
};

/** The parts that each count as a release: those that spend a presignature, or else the first part. */
const countedParts = (
  { parts: [first] }: SigningCall,
  spent: readonly SpentPresignature[],
): readonly { readonly part: SigningPart; readonly id?: string }[] =>
  spent.length > 0 || first === undefined ? spent : [{ part: first }];

/**
 * Binds the request of a signing call (INV-4). @returns the writes that make it durable, for the batch before the first
 * partial signature
 */
const bindRequestOf = (before: SignerState, { request }: SigningCall) => {
  const bound = bindRequest(before.history, request);
  const { recentBindings, startedAtMs = 0 } = before;
  const { recent, writes } = withBinding(recentBindings, request, startedAtMs);
  return { state: { ...before, recentBindings: recent }, writes: [...bound, ...writes] };
};

const spentPresignatures = (
  signing: SigningCall,
  presignatures: readonly WaitingPresignature[],
  nowMs: number,
): readonly SpentPresignature[] => {
  const taking = signing.parts.filter(({ presignature }) => presignature !== undefined);
  return taking.map((part, at) => {
    const { presignature: id, digest, keyId } = part;
    const waiting = presignatures[at];
    if (id === undefined || waiting === undefined || digest === undefined) {
      throw new Error("each part that takes a presignature has one");
    }
    const tombstone: SpentRecord = {
      version: 2,
      digest: digest.bytes,
      session: signing.given,
      keyId,
      requestId: signing.request.requestId,
      spentAtMs: nowMs,
      forgetAtMs: waiting.expiresAtMs + TOMBSTONE_MEMORY_MS,
    };
    return { id, part, waiting, tombstone };
  });
};

const openPooled = (state: SignerState, { id, part, waiting }: SpentPresignature): SignerStep => {
  const session = state.sessions.get(part.run);
  const { digest, keyId } = part;
  if (session === undefined || digest === undefined || !isObserved(digest)) {
    throw new Error("only a digest that the signer computed meets a presignature (P7)");
  }
  return openInHost(state, session, {
    kind: "open-pooled-signing",
    id,
    presignature: waiting.secret,
    key: { keyId, epoch: waiting.epoch },
    digest,
  });
};

/** Opens the FROST sessions of a signing call; their nonces are made now, and live in the host alone (INV-2). */
export const openFrostSessions = (before: SignerState, signing: SigningCall): SignerStep =>
  signing.parts.reduce<SignerStep>(
    (step, part) => andThen(step, (next) => openFrost(next, signing.signers, part)),
    unchanged(before),
  );

const openFrost = (
  state: SignerState,
  signers: readonly PartyIndex[],
  { run, key, signable }: SigningPart,
): SignerStep => {
  const session = state.sessions.get(run);
  if (key.scheme === "CGGMP24" || session === undefined) return unchanged(state);
  const { scheme, share } = key;
  return openInHost(state, session, {
    kind: "open-frost",
    signers,
    scheme,
    key: share,
    message: signable.bytes,
    ...(signable.merkleRoot === undefined ? {} : { merkleRoot: signable.merkleRoot }),
  });
};

/**
 * Releases a signing call whose sessions have made their own presignatures. First the bindings of the request (INV-4)
 * and the tombstones (INV-2) become durable in one step, and only then is a partial signature made. The presignatures
 * are spent from here on, whatever happens. As presigning takes time, the signer checks again the transactions that
 * were signed for the same request meanwhile, and the age of the authorisation.
 */
export const releasePresigned = (before: SignerState, signing: SigningCall, nowMs: number): SignerStep => {
  const { request, lapsesAtMs, dead, given, expiresAtMs } = signing;
  const conflict =
    nowMs < lapsesAtMs
      ? bindingConflict({ state: before, dead, nowMs }, request)
      : problem("AuthorisationNotCurrent");
  if (conflict !== undefined) return endWith(before, signing, { kind: "refusal", problem: conflict });
  const { state: binding, writes: bound } = bindRequestOf(before, signing);
  const counted = countRelease(binding, undefined);
  const forgetAtMs = forgetSessionAtMs(expiresAtMs);
  const tombstones = signing.parts.flatMap(({ digest, keyId, run }, at) => {
    if (digest === undefined) return [];
    const { requestId } = request;
    const tombstone = { version: 2, digest: digest.bytes, keyId, requestId, forgetAtMs } as const;
    const record = RECORDS.tombstone.name(tombstoneId(given, at));
    const write = { record, value: RECORDS.tombstone.write(tombstone), forgetAtMs };
    return [{ write, run, digest: digest.bytes }];
  });
  const released: SigningCall = { ...signing, isReleased: true };
  const state = withSigningCall(counted.state, released);
  const puts = [...bound, ...tombstones.map(({ write }) => write), counted.write];
  const effects: readonly SignerEffect[] = [
    { kind: "batch", puts, erases: [], sync: true },
    ...counted.announcements,
    ...tombstones.map(
      ({ run, digest }) =>
        ({ kind: "compute", session: run, task: { kind: "open-signing", digest } }) as const,
    ),
  ];
  return andThen({ state, effects }, (next) => openFrostSessions(next, released));
};

/**
 * The id of a signing call's tombstone. The first has the session's id, so that the id itself stays refused; the others
 * are numbered.
 */
const tombstoneId = (given: string, at: number): string => (at === 0 ? given : `${given}.${at}`);
