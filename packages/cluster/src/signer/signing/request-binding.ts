import { DEAD_TRANSACTIONS_MAX, type DeadTransactions, type Problem, problem } from "@conclave/custody";
import { bytesToHex } from "@noble/hashes/utils.js";
import { BOUND_EXCLUSION_BYTES_MAX, BOUND_TRANSACTIONS_MAX, DEADLINE_MARGIN_MS } from "../limits.ts";
import { type ReadRecord, recallPast } from "../records/history.ts";
import { type BoundTransaction, RECORDS, type RequestRecord } from "../records/record.ts";
import type { SignerState } from "../state.ts";
import { type BindingWrite, bindingWrite } from "./binding-write.ts";
import type { ClaimedTransaction, RequestClaim } from "./request-claim.ts";
import { keepBytes } from "./signed-bytes.ts";

/** The inputs of the rule of INV-4. */
interface Judging {
  readonly state: Pick<SignerState, "history" | "config">;
  /** the authority's statement on transactions of the request that can no longer land; undefined when there is none */
  readonly dead: DeadTransactions | undefined;
  readonly nowMs: number;
}

/**
 * The reason not to sign a transaction (INV-4); undefined when it may be signed.
 *
 * A signer sees no chain, and an orchestrator may lie. So for a request and those that it replaces, a signer signs
 * another transaction only if it signed exactly this one before, or if each transaction that it signed before is
 * excluded by this one under the rule of the chain's family, or is dead: the authority states that, and the deadline in
 * its bytes, where they have one, has passed by DEADLINE_MARGIN_MS on this signer's own clock. Any two quorums share a
 * signer (2t > n), so a signature of one quorum binds every other.
 */
export const bindingConflict = (judging: Judging, claim: RequestClaim): Problem | undefined => {
  const { transaction, requestId } = claim;
  if (transaction === undefined) return undefined;
  const { history } = judging.state;
  const ids = [requestId, ...claim.replaces];
  const records = ids.map((id) => ({ id, record: recallPast(history, RECORDS.request, id) }));
  const verdicts = records.map(({ id, record }) => {
    return { id, verdict: record === undefined ? "may" : mayFollowAll(judging, record, transaction, claim) };
  });
  const bound =
    verdicts.find(({ verdict }) => verdict === "never") ??
    verdicts.find(({ verdict }) => verdict === "early");
  if (bound !== undefined) {
    const code = bound.verdict === "early" ? "DeadlineNotPassed" : "TransactionNotExcluding";
    return problem(code, bound.id === requestId ? { requestId } : { requestId, replaces: bound.id });
  }
  const isFull = records.some(({ record }) =>
    isOverfull(withTransaction(record?.transactions ?? [], transaction)),
  );
  return isFull
    ? problem("TooManySessions", {}, "The signer remembers as many transactions of the request as it may.")
    : undefined;
};

const isOverfull = (transactions: readonly BoundTransaction[]): boolean =>
  transactions.length > BOUND_TRANSACTIONS_MAX ||
  transactions.reduce((sum, { exclusion }) => sum + exclusion.length, 0) > BOUND_EXCLUSION_BYTES_MAX;

/** Whether a transaction may follow others: at once, only after their deadline has passed on this clock ("early"), or never. */
type Following = "may" | "early" | "never";

const mayFollowAll = (
  judging: Judging,
  record: RequestRecord,
  later: ClaimedTransaction,
  claim: RequestClaim,
): Following => {
  if (record.network !== undefined && record.network !== later.network) return "never";
  // this signer has already compared this transaction with all others, so signing it again allows no further
  // transaction on chain
  if (record.transactions.some(({ digests }) => digests.includes(later.digest))) return "may";
  const each = record.transactions.map((earlier) => mayFollow(judging, earlier, later, claim));
  return (
    each.find((following) => following === "never") ??
    each.find((following) => following === "early") ??
    "may"
  );
};

/**
 * Whether a transaction may follow those that were signed under one exclusion: it excludes them, or each of them is
 * this transaction or dead, as the authority states and its deadline shows.
 */
const mayFollow = (
  { state: { config }, dead, nowMs }: Judging,
  { exclusion, digests, deadlineMs }: BoundTransaction,
  { network, digest: later, exclusion: next }: ClaimedTransaction,
  { requestId, replaces }: RequestClaim,
): Following => {
  if (config.reader.excludes(network, exclusion, next)) return "may";
  const others = digests.filter((digest) => digest !== later);
  if (digests.length > 0 && others.length === 0) return "may";
  const isOfRequest = dead?.network === network && [requestId, ...replaces].includes(dead.requestId);
  const named = isOfRequest ? dead.transactions : [];
  if (digests.length === 0 || !others.every((digest) => named.includes(digest))) return "never";
  return deadlineMs === undefined || nowMs > deadlineMs + DEADLINE_MARGIN_MS ? "may" : "early";
};

/**
 * Binds a request, and the requests that it replaces, to a transaction: from now on none of them is signed for a
 * transaction that could land beside this one. A replaced request is remembered as long as its replacement: a later
 * transaction of the newest request must still follow what was signed for the oldest.
 *
 * @returns the writes; none for what is bound already
 */
export const bindRequest = (
  history: ReadRecord,
  { requestId, replaces, transaction, forgetAtMs }: RequestClaim,
): readonly BindingWrite[] => {
  if (transaction === undefined) return [];
  return [...new Set([requestId, ...replaces])].flatMap((id): readonly BindingWrite[] => {
    const known = recallPast(history, RECORDS.request, id);
    const transactions = withTransaction(known?.transactions ?? [], transaction);
    const untilMs = Math.max(known?.forgetAtMs ?? 0, forgetAtMs);
    const bytes = keepBytes(history, { id, transaction, forgetAtMs: untilMs });
    if (transactions === known?.transactions && untilMs === known.forgetAtMs) return bytes;
    const { network } = transaction;
    const record: RequestRecord = { version: 2, network, transactions, forgetAtMs: untilMs };
    const value = RECORDS.request.write(record);
    return [bindingWrite(RECORDS.request.name(id), value, untilMs, known), ...bytes];
  });
};

/**
 * Adds a transaction. Transactions with one exclusion and deadline share an entry. When they exceed what a statement of
 * the authority can name, their digests are dropped, and only the family's rule lets another transaction follow them.
 */
const withTransaction = (
  known: readonly BoundTransaction[],
  { exclusion, deadlineMs, digest }: ClaimedTransaction,
): readonly BoundTransaction[] => {
  const at = known.findIndex(
    (each) => bytesToHex(each.exclusion) === bytesToHex(exclusion) && each.deadlineMs === deadlineMs,
  );
  const found = known[at];
  if (found === undefined) return [...known, { exclusion, deadlineMs, digests: [digest] }];
  if (found.digests.length === 0 || found.digests.includes(digest)) return known;
  const isFull = found.digests.length >= DEAD_TRANSACTIONS_MAX;
  return known.with(at, { ...found, digests: isFull ? [] : [...found.digests, digest] });
};
