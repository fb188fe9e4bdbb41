import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { BOUND_BYTES_MAX } from "../limits.ts";
import { type ReadRecord, recallPast } from "../records/history.ts";
import { RECORDS, type SignedBytesRecord } from "../records/record.ts";
import { type BindingWrite, bindingWrite } from "./binding-write.ts";
import type { ClaimedTransaction } from "./request-claim.ts";

/** A transaction that is bound to a request. */
interface BoundBytes {
  /** the request's id */
  readonly id: string;
  readonly transaction: Pick<ClaimedTransaction, "digest" | "unsigned">;
  /** Unix milliseconds */
  readonly forgetAtMs: number;
}

/**
 * Stores the unsigned bytes of a request's transaction, for a database that lost them. The earliest are dropped to make
 * room for the latest; at least one fits. @returns the write; none where they are stored already
 */
export const keepBytes = (
  history: ReadRecord,
  { id, transaction: { digest, unsigned }, forgetAtMs }: BoundBytes,
): readonly BindingWrite[] => {
  const known = recallPast(history, RECORDS.signedBytes, id);
  const before = known?.transactions ?? [];
  const isNew = unsigned !== undefined && !before.some((each) => each.digest === digest);
  const transactions = isNew ? latest([...before, { digest, unsigned: bytesToHex(unsigned) }]) : before;
  if (transactions.length === 0 || (!isNew && known?.forgetAtMs === forgetAtMs)) return [];
  const value = RECORDS.signedBytes.write({ version: 1, transactions, forgetAtMs });
  return [bindingWrite(RECORDS.signedBytes.name(id), value, forgetAtMs, known)];
};

const latest = (transactions: SignedBytesRecord["transactions"]): SignedBytesRecord["transactions"] => {
  let digits = 0;
  const from = transactions.findLastIndex(({ unsigned }) => {
    digits += unsigned.length;
    return digits > 2 * BOUND_BYTES_MAX;
  });
  return transactions.slice(from + 1);
};

/** A signer's unverified answer about a request. */
export interface SignedForRequest {
  /** whether it has taken part in signing a transaction for it, or for one that replaces it */
  readonly isBound: boolean;
  /** whether `transactions` has all of these */
  readonly isWhole: boolean;
  /** unsigned bytes, the latest last; at most BOUND_BYTES_MAX bytes together */
  readonly transactions: readonly Uint8Array[];
}

/** A question about the transactions that a signer signed for a request. */
export interface AskedForRequest {
  /** id of a transfer or a transaction */
  readonly requestId: string;
  /** Unix milliseconds: date of the request; 0 from an older version */
  readonly requestedAtMs: number;
}

/**
 * @param history of written records
 * @param lostMs Unix milliseconds: bindings up to then may be lost (older-store/lost-time.ts); 0 where none are
 * @throws when a record is damaged
 */
export const signedForRequest = (
  history: ReadRecord,
  { requestId, requestedAtMs }: AskedForRequest,
  lostMs: number,
): SignedForRequest => {
  const bound = recallPast(history, RECORDS.request, requestId)?.transactions ?? [];
  const transactions = recallPast(history, RECORDS.signedBytes, requestId)?.transactions ?? [];
  const kept = new Set(transactions.map(({ digest }) => digest));
  const isKept = bound.every(
    ({ digests }) => digests.length > 0 && digests.every((digest) => kept.has(digest)),
  );
  const isWhole = isKept && (lostMs === 0 || requestedAtMs > lostMs);
  const bytes = transactions.map(({ unsigned }) => hexToBytes(unsigned));
  return { isBound: bound.length > 0, isWhole, transactions: bytes };
};
