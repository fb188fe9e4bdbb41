import { fail, ok, type Problem, problem, type Result } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { isObserved, type ObservedDigest } from "../../compute/signing/observed-digest.ts";
import { isOverAge, isSameSet, type Pool, type WaitingPresignature } from "../presigning/pool.ts";
import { recallPast } from "../records/history.ts";
import { lookUp } from "../records/persistent-map.ts";
import { RECORDS, type SpentRecord } from "../records/record.ts";
import type { SignerState } from "../state.ts";
import type { SignableWithKey } from "./signing-call.ts";

/** An ECDSA signable that a presignature of the pool may sign: this signer computed its digest (P7). */
export interface ObservedSignable extends SignableWithKey {
  readonly digest: ObservedDigest;
}

/**
 * The signables that take the presignatures, in their order.
 *
 * @returns RawDigestRefused for a digest that this signer did not compute (P7), or InvalidBody when there is not one
 *   presignature for each ECDSA signable
 */
export const signablesOf = (
  ids: readonly string[],
  signables: readonly SignableWithKey[],
): Result<readonly ObservedSignable[]> => {
  const observed: ObservedSignable[] = [];
  for (const { digest, ...signable } of signables) {
    if (digest === undefined) continue;
    // a party that knows the nonce and then chooses the digest forges a signature of another message
    if (!isObserved(digest)) return fail("RawDigestRefused");
    observed.push({ ...signable, digest });
  }
  return ids.length === observed.length && new Set(ids).size === ids.length
    ? ok(observed)
    : fail("InvalidBody", {}, "Each ECDSA signable takes one presignature of its own, or none takes any.");
};

/**
 * The presignatures of the pool for the ECDSA signables of one command, in their order. Each must be ready, and of
 * exactly this key, epoch, auxiliary information and quorum.
 */
export const usablePresignatures = (
  state: SignerState,
  ids: readonly string[],
  signables: readonly ObservedSignable[],
  signers: readonly PartyIndex[],
  nowMs: number,
): Result<readonly WaitingPresignature[]> => {
  const waiting: WaitingPresignature[] = [];
  for (const [at, signable] of signables.entries()) {
    const usable = usablePresignature(state, ids[at] ?? "", signable, signers, nowMs);
    if (!usable.ok) return usable;
    waiting.push(usable.value);
  }
  return ok(waiting);
};

const usablePresignature = (
  state: SignerState,
  id: string,
  { keyId, key, digest }: ObservedSignable,
  signers: readonly PartyIndex[],
  nowMs: number,
): Result<WaitingPresignature> => {
  const { pool, auxiliary } = state;
  const tombstone = recallPast(state.history, RECORDS.spent, id);
  if (tombstone !== undefined) return { ok: false, problem: whySpent(id, tombstone, digest) };
  const waiting = lookUp(pool.ready, id);
  if (waiting === undefined || isOverAge(waiting, nowMs)) return fail("PresignatureUnknown");
  const isBound =
    isSameSet(waiting, { keyId, signers }) &&
    waiting.epoch === key.epoch &&
    waiting.auxiliaryEpoch === auxiliary?.epoch;
  return isBound ? ok(waiting) : fail("PresignatureMismatch");
};

/**
 * The reason to refuse a spent presignature. The same digest may be an honest repetition; another digest never is, so
 * the problem names both (P6).
 */
const whySpent = (id: string, tombstone: SpentRecord, digest: ObservedDigest): Problem => {
  const [spentOn, asked] = [bytesToHex(tombstone.digest), bytesToHex(digest.bytes)];
  if (spentOn === asked) return problem("PresignatureSpent");
  const exact = `The presignature ${id} was spent on digest ${spentOn}; it was asked for ${asked}.`;
  return problem("PresignatureReused", { presignature: id, spentOn, asked }, exact);
};

/** Counts a refused presignature. */
export const countRefusal = (pool: Pool, reason: Problem): Pool => {
  const isReuse = reason.code === "PresignatureReused";
  return { ...pool, refused: pool.refused + 1, reused: pool.reused + (isReuse ? 1 : 0) };
};
