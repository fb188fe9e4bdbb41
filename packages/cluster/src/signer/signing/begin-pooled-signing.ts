import { fail, ok, type Problem, problem, type Result } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { ObservedDigest } from "../../compute/observed-digest.ts";
import type { SignerEvent } from "../event.ts";
import { TOMBSTONE_MEMORY_MS, TOMBSTONES_MAX } from "../limits.ts";
import { isOverAge, isSameSet, type Pool, type Spent, withSpent } from "../presigning/pool.ts";
import { isConfirmed, spendOne } from "../presigning/spending.ts";
import { lookUp } from "../records/persistent-map.ts";
import {
  type AuxiliaryRecord,
  type KeyRecord,
  RECORDS,
  type ReadyRecord,
  type SpentRecord,
} from "../records/record.ts";
import { newSession, openInHost, refuse, remembering } from "../session/begin.ts";
import { runKey } from "../session/run-id.ts";
import { andThen, type Purpose, type SignerState, type SignerStep } from "../state.ts";
import { bindRequest } from "./request-nonce.ts";

type BeginSigning = Extract<SignerEvent, { readonly kind: "begin-signing" }>;
type SigningPurpose = Extract<Purpose, { readonly protocol: "signing" }>;

/** A request to sign that passed every check but those of its presignature. */
export interface Understood {
  /** its digest is one that this signer computed from what it read (P7) */
  readonly purpose: SigningPurpose & { readonly digest: ObservedDigest };
  readonly key: KeyRecord;
  readonly auxiliary: AuxiliaryRecord;
  readonly signers: readonly PartyIndex[];
}

/**
 * Begins the online round with a presignature of the pool. The presignature is reserved for this session and digest,
 * which takes its secret out of the record; then tombstone, session id and the request's nonce become durable in one
 * step, and the record goes. Only then is a partial signature made (INV-2, INV-4). From the first write on the
 * presignature is spent, whatever happens.
 *
 * Signers who were told different digests never meet, for the run binds the digest: each makes at most one partial
 * signature with its share of the presignature, and partial signatures of different digests add up to nothing.
 */
export const beginPooledSigning = (
  state: SignerState,
  event: BeginSigning & { readonly presignature: string },
  understood: Understood,
  nowMs: number,
): SignerStep => {
  const { presignature: id, session: given } = event;
  const { purpose, key, auxiliary, signers } = understood;
  const usable = usablePresignature(state, id, understood, nowMs);
  if (!usable.ok) return refuseReuse(state, event, usable.problem);

  const { keyId, digest } = purpose;
  const run = runKey(state.config, {
    given,
    expiresAtMs: event.expiresAtMs,
    protocol: "pooled-signing",
    keyId,
    epoch: usable.value.epoch,
    parties: signers,
    agreed: [digest.bytes, key.publicKey, auxiliary.digest, hexToBytes(id)],
  });
  const opened = newSession({ ...event, run, parties: signers, purpose, stage: "sign" });
  const { state: counted, write, announcements } = spendOne(state, run);
  const session = { ...opened, isSpent: true, announcements };
  const tombstone = tombstoneOf(session.given, purpose, usable.value, nowMs);
  return andThen(spend(remembering(counted, session), write, id, purpose, tombstone), (spent) =>
    openInHost(spent, session, {
      kind: "open-pooled-signing",
      id,
      presignature: usable.value.secret,
      key: { keyId, epoch: usable.value.epoch },
      digest,
    }),
  );
};

/** The presignature, when it is ready and was made for exactly this: key, epoch, auxiliary info and quorum. */
const usablePresignature = (
  state: SignerState,
  id: string,
  { purpose, key, auxiliary, signers }: Understood,
  nowMs: number,
): Result<ReadyRecord> => {
  const { pool } = state;
  const tombstone = lookUp(pool.spent, id);
  if (tombstone !== undefined) return { ok: false, problem: whySpent(id, tombstone, purpose.digest) };
  const record = lookUp(pool.ready, id);
  if (record === undefined || isOverAge(record, nowMs)) return fail("PresignatureUnknown");
  const isBound =
    isSameSet(record, { keyId: purpose.keyId, signers }) &&
    record.epoch === key.epoch &&
    record.auxiliaryEpoch === auxiliary.epoch;
  if (!isBound) return fail("PresignatureMismatch");
  if (!isConfirmed(state, id, record)) return fail("PoolUnconfirmed");
  return pool.spent.size >= TOMBSTONES_MAX ? fail("PoolFull") : ok(record);
};

/** The same digest may be an honest repetition; another digest is never: both are named (P6). */
const whySpent = (id: string, tombstone: Spent, digest: ObservedDigest): Problem => {
  const [spentOn, asked] = [bytesToHex(tombstone.digest), bytesToHex(digest.bytes)];
  if (spentOn === asked) return problem("PresignatureSpent");
  const exact = `The presignature ${id} was spent on digest ${spentOn}; it was asked for ${asked}.`;
  return problem("PresignatureReused", { presignature: id, spentOn, asked }, exact);
};

const refuseReuse = (state: SignerState, { call }: BeginSigning, reason: Problem): SignerStep => {
  const { refused, reused } = state.pool;
  const isReuse = reason.code === "PresignatureReused";
  const pool: Pool = { ...state.pool, refused: refused + 1, reused: reused + (isReuse ? 1 : 0) };
  return refuse({ ...state, pool }, call, reason);
};

const tombstoneOf = (
  session: string,
  { digest, keyId, requestId, nonce }: Understood["purpose"],
  { expiresAtMs }: ReadyRecord,
  nowMs: number,
): SpentRecord => ({
  version: 1,
  digest: digest.bytes,
  session,
  keyId,
  requestId,
  nonce,
  spentAtMs: nowMs,
  forgetAtMs: expiresAtMs + TOMBSTONE_MEMORY_MS,
});

type Remembering = ReturnType<typeof remembering>;

/** The reservation, then the one synced write that spends: without the first, a torn second could leave the secret. */
const spend = (
  { state, write: session }: Remembering,
  count: Remembering["write"],
  id: string,
  purpose: SigningPurpose,
  tombstone: SpentRecord,
): SignerStep => {
  const record = RECORDS.presignature.name(id);
  const reservation = RECORDS.presignature.write({ version: 1, state: "reserved", tombstone });
  const bury = { record: RECORDS.spent.name(id), value: RECORDS.spent.write(tombstone) };
  const bound = bindRequest(state.requests, purpose, purpose.requestForgetAtMs);
  return {
    state: { ...state, pool: withSpent(state.pool, id, tombstone), requests: bound.requests },
    effects: [
      { kind: "batch", puts: [{ record, value: reservation }], erases: [], sync: false },
      { kind: "batch", puts: [session, bury, count, ...bound.puts], erases: [record], sync: true },
    ],
  };
};
