/** The meaning of a node's refusal of a transaction. */
export type AlgodRefusal =
  /** it has this one. Of older nodes it may be another one with the same lease */
  | { readonly kind: "in-ledger"; readonly id: string }
  /**
   * a transaction that landed holds its lease. The words name the transaction that was refused, whichever it is that holds the lease
   * (go-algorand, ledger/txtail.go: checkDup): so they do not tell whether it is itself
   */
  | { readonly kind: "lease-held" }
  /** its last valid round has passed, as the node sees it */
  | { readonly kind: "over" }
  /** the node's rules refuse these very bytes whenever they come */
  | { readonly kind: "for-good" }
  /**
   * a passing state: the pool is full, its first round is to come, money or an opt-in is missing; or words
   * that are not known
   */
  | { readonly kind: "for-now" };

const IN_LEDGER = /transaction already in ledger: ([A-Z2-7]{52})/;
const LEASE_HELD = /using an overlapping lease/;
const DEAD = /txn dead: round (\d+) outside of (\d+)--(\d+)/;

/**
 * Words of what no waiting mends (go-algorand, of the files that docs/refusals/algorand.md names with each). A node's words may hold
 * others' texts, such as a note: so each is looked for with what stands around it.
 */
const FOR_GOOD: readonly RegExp[] = [
  // data/transactions/verify/txn.go: the transaction by itself, or its signature
  /\binvalid : /,
  /At least one signature didn't pass verification/,
  /signedtxn has no sig/,
  // ledger/eval/eval.go
  /\bmalformed: /,
  /should have been authorized by [A-Z2-7]{58} but was actually authorized by [A-Z2-7]{58}/,
  /^(TransactionPool\.\w+: )?txgroup with .* fees is less than /,
  /transactionGroup: /,
  // data/transactions/transaction.go: Alive, wellFormed
  /tx\.Genesis(ID|Hash) <.*> does not match expected /,
  /required tx\.GenesisHash is missing/,
  /transaction had fee .* which is less than the minimum /,
  /transaction window size excessive /,
  /transaction note too big: /,
  // ledger/apply/asset.go: an id is never given again
  /asset \d+ does not exist or has been deleted/,
  // daemon/algod/api/server/v2/handlers.go: decodeTxGroup
  /msgpack decode error/,
  /max group size is \d+/,
];

/** Reads a node's words for a transaction that it does not take, or that it was asked to try. */
export const readRefusal = (said: string): AlgodRefusal => {
  const id = IN_LEDGER.exec(said)?.[1];
  if (id !== undefined) return { kind: "in-ledger", id };
  if (LEASE_HELD.test(said)) return { kind: "lease-held" };
  const [, round, , last] = DEAD.exec(said) ?? [];
  if (round !== undefined && last !== undefined) {
    return { kind: BigInt(round) > BigInt(last) ? "over" : "for-now" };
  }
  return { kind: FOR_GOOD.some((words) => words.test(said)) ? "for-good" : "for-now" };
};
