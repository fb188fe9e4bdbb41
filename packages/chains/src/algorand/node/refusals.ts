/** The meaning of a node's refusal of a transaction. */
export type AlgodRefusal =
  /** the node has this transaction in a block; older nodes say so of another one with the same lease too */
  | { readonly kind: "in-ledger"; readonly id: string }
  /**
   * a landed transaction holds the lease. The message names the refused transaction, not the holder of the lease
   * (go-algorand, ledger/txtail.go: checkDup), so it does not say whether the two are the same
   */
  | { readonly kind: "lease-held" }
  /** its last valid round has passed, by the node's ledger */
  | { readonly kind: "over" }
  /** the node's rules will always refuse these bytes */
  | { readonly kind: "for-good" }
  /**
   * a passing state: the pool is full, the first valid round is to come, or money or an opt-in is missing; also every
   * unknown message
   */
  | { readonly kind: "for-now" };

const IN_LEDGER = /transaction already in ledger: ([A-Z2-7]{52})/;
const LEASE_HELD = /using an overlapping lease/;
const DEAD = /txn dead: round (\d+) outside of (\d+)--(\d+)/;

/**
 * Messages of permanent refusals (go-algorand; docs/refusals/algorand.md names the file of each). A message may contain
 * text from others, such as a note, so each pattern includes its surroundings.
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
  // ledger/apply/asset.go; permanent, because an asset id is never reused
  /asset \d+ does not exist or has been deleted/,
  // daemon/algod/api/server/v2/handlers.go: decodeTxGroup
  /msgpack decode error/,
  /max group size is \d+/,
];

/** Reads a node's message about a transaction that it refused, or refused to simulate. */
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
