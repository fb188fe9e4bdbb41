import { accountEntry } from "./books.ts";
import { spendable } from "./operations/reserve.ts";
import { bidOf, feeSourceOf, inclusionBidOf, leastReplacingBid } from "./transaction/fees.ts";
import type { HorizonSubmission } from "./transaction/submission.ts";
import { checkSubmission, type HorizonScene, isResultOfSuccess } from "./transaction/validity.ts";
import type { HorizonFlaw, HorizonResult } from "./xdr/result.ts";

/**
 * How many ledgers a transaction waits at most, and for how many ledgers it is banned then. @source stellar-core,
 * Herder.cpp
 */
const MOST_LEDGERS_WAITED = 4;
const LEDGERS_OF_A_BAN = 10;
/**
 * Maximum number of waiting transactions. A node's limit is higher; this ledger checks all of them again with every
 * ledger.
 */
const MOST_QUEUED = 2_000;

export interface QueuedTransaction {
  readonly submission: HorizonSubmission;
  /** ledgers that closed without it */
  readonly age: number;
  /** the first ledger that may hold it: an operator can delay it */
  readonly notBefore: number;
}

/** The transactions that wait for the next ledger, in their order of arrival; an account has at most one. */
export interface HorizonQueue {
  readonly waiting: readonly QueuedTransaction[];
  /** envelope hashes that are refused; one set for each ledger since which they are banned, latest first */
  readonly banned: readonly ReadonlySet<string>[];
}

export const EMPTY_QUEUE: HorizonQueue = { waiting: [], banned: [] };

/** stellar-core's reply to a submission. */
export type HorizonReception =
  | { readonly status: "PENDING"; readonly queue: HorizonQueue }
  | { readonly status: "DUPLICATE" | "TRY_AGAIN_LATER" }
  | { readonly status: "ERROR"; readonly result: HorizonResult };

const erred = (type: HorizonFlaw, feeCharged: bigint): HorizonReception => ({
  status: "ERROR",
  result: { feeCharged, outcome: { type, value: undefined }, extension: undefined },
});

const isBanned = ({ banned }: HorizonQueue, { envelopeHash }: HorizonSubmission): boolean =>
  banned.some((hashes) => hashes.has(envelopeHash));

/**
 * Whether a submission repeats a waiting envelope, or the inner transaction of a waiting fee bump. @source stellar-core,
 * TransactionQueue.cpp: isDuplicateTx
 */
const isDuplicate = (old: HorizonSubmission, sent: HorizonSubmission): boolean =>
  old.envelopeHash === sent.envelopeHash ||
  (old.bump !== undefined && sent.bump === undefined && isSameHash(old.hash, sent.hash));

const isSameHash = (a: Uint8Array, b: Uint8Array): boolean => a.every((byte, at) => byte === b[at]);

/** Checks a submission against the waiting transaction of the same account. @returns undefined if it replaces that one */
const replacing = (old: HorizonSubmission, sent: HorizonSubmission): HorizonReception | undefined => {
  if (isDuplicate(old, sent)) return { status: "DUPLICATE" };
  const [waits, comes] = [old.transaction.sequence, sent.transaction.sequence];
  if (comes < waits) return erred("tx_bad_seq", 0n);
  if (sent.bump === undefined || comes !== waits) return { status: "TRY_AGAIN_LATER" };
  const least = leastReplacingBid(old, sent);
  return inclusionBidOf(sent) < least ? erred("tx_insufficient_fee", least) : undefined;
};

/** The fees that an account's other waiting transactions will take. */
const promised = (
  { waiting }: HorizonQueue,
  sent: HorizonSubmission,
  replaced: QueuedTransaction | undefined,
): bigint =>
  waiting
    .filter((queued) => queued !== replaced && feeSourceOf(queued.submission) === feeSourceOf(sent))
    .reduce((sum, { submission }) => sum + bidOf(submission), 0n);

/**
 * Adds a transaction to the queue, if it is valid.
 * @source stellar-core, TransactionQueue.cpp: canAdd
 */
export const receivedInto = (
  queue: HorizonQueue,
  sent: HorizonSubmission,
  scene: HorizonScene,
): HorizonReception => {
  if (isBanned(queue, sent)) return { status: "TRY_AGAIN_LATER" };
  const source = sent.transaction.source.account;
  const old = queue.waiting.find(({ submission }) => submission.transaction.source.account === source);
  const refusal = old === undefined ? undefined : replacing(old.submission, sent);
  if (refusal !== undefined) return refusal;
  if (old === undefined && queue.waiting.length >= MOST_QUEUED) return { status: "TRY_AGAIN_LATER" };
  const result = checkSubmission(sent, scene);
  if (!isResultOfSuccess(result)) return { status: "ERROR", result };
  const payer = accountEntry(scene.books, feeSourceOf(sent));
  const free = payer === undefined ? 0n : spendable(payer, scene.baseReserve);
  if (free < promised(queue, sent, old) + bidOf(sent)) return erred("tx_insufficient_balance", bidOf(sent));
  const waits = { submission: sent, age: 0, notBefore: old?.notBefore ?? 0 };
  const waiting =
    old === undefined
      ? [...queue.waiting, waits]
      : queue.waiting.map((queued) => (queued === old ? waits : queued));
  return { status: "PENDING", queue: { ...queue, waiting } };
};

/**
 * The queue after a ledger closed: waiting transactions grow older. Those that waited too long, and those in `gone`, are
 * removed and banned for a while.
 * @param gone the transactions that the ledger holds, and those that are no longer valid
 * @source stellar-core, TransactionQueue.cpp: removeApplied, shift, ban
 */
export const shiftedQueue = (
  queue: HorizonQueue,
  gone: readonly HorizonSubmission[],
  ledger: number,
): HorizonQueue => {
  const out = new Set(gone.map(({ envelopeHash }) => envelopeHash));
  const left = queue.waiting
    .filter(({ submission }) => !out.has(submission.envelopeHash))
    .map((queued) => (queued.notBefore > ledger ? queued : { ...queued, age: queued.age + 1 }));
  const isOld = ({ age }: QueuedTransaction): boolean => age >= MOST_LEDGERS_WAITED;
  const old = left.filter(isOld).map(({ submission }) => submission.envelopeHash);
  return {
    waiting: left.filter((queued) => !isOld(queued)),
    banned: [new Set([...out, ...old]), ...queue.banned].slice(0, LEDGERS_OF_A_BAN),
  };
};
