import type { BroadcastOutcome } from "../../chain.ts";

/**
 * The meaning of a node's refusal of a raw transaction. Nodes share no error codes for these, so the texts decide.
 * docs/refusals/evm.md lists each text with its source file in the node.
 */
interface Meaning {
  readonly says: RegExp;
  readonly outcome: (said: string) => BroadcastOutcome;
}

const accepted = (): BroadcastOutcome => ({ kind: "accepted" });
const outdated = (): BroadcastOutcome => ({
  kind: "outdated",
  reason: "the account nonce is used up; waiting for the chain to settle it",
});
const refused = (said: string): BroadcastOutcome => ({
  kind: "refused",
  reason: `the chain node does not take the transaction: ${said}`,
});
/** @param why the node's reason for refusing the bytes */
const unacceptable =
  (why: string) =>
  (said: string): Extract<BroadcastOutcome, { kind: "unacceptable" }> => ({
    kind: "unacceptable",
    reason: `the chain node takes no such transaction, however long it waits: ${why} (${said})`,
  });

const BELOW_MINIMUM = unacceptable("its tip is below the node's own minimum");

/** The first match counts: temporary refusals come before final ones whose texts overlap. */
const MEANINGS: readonly Meaning[] = [
  {
    says: /already known|already imported|known transaction|AlreadyKnown|already in (the )?(mem)?pool|existing txn? with same hash|same hash was already imported/i,
    outcome: accepted,
  },
  {
    says: /nonce (is )?too low|nonce.*already been used|OldNonce|nonce below current|invalid nonce.*lower|account has nonce of: \d+ tx has nonce/i,
    outcome: outdated,
  },
  // a waiting transaction in the same place, or a full pool: both are temporary
  {
    says: /replac|not enough price bump|sub-?pool is full|pool (is )?(full|overflow)|insufficient gas price to replace/i,
    outcome: refused,
  },
  // an earlier nonce of the account is missing, or the current base fee or balance is the cause: temporary
  {
    says: /nonce (is )?too (high|far|distant)|nonce gap|gapped|base ?fee(?! exceeds gas limit)|FeeCapTooLow|MaxFeePerGasTooLow|insufficient (funds|balance|sender|account)|InsufficientFunds|up-?front cost|enough funds|lack of funds|LackOfFund/i,
    outcome: refused,
  },
  // signers accept only bytes for the entry's chain, so the node is on another chain, until its operator fixes that
  {
    says: /invalid chain ?id|wrong chain ?id|InvalidTxChainId|signed for another chain|chain ?id (is )?(not supported|required)|chainId \d+ provided/i,
    outcome: (said) => ({ kind: "refused", reason: `the chain node is of another chain: ${said}` }),
  },
  // the node's block has no room left: temporary
  { says: /^gas limit reached/i, outcome: refused },
  {
    says: /gas limit (is )?too high|gas limit exceeds (the )?(transaction|per[- ]transaction)|TxGasLimitCapExceeded|TxGasLimitGreaterThanCap|per[- ]transaction gas limit|exceeds transaction gas (limit )?cap/i,
    outcome: unacceptable("its gas limit is above what one transaction may ask for (EIP-7825)"),
  },
  {
    says: /(exceeds|greater than|above|more than)( the)? block(['’]s)? gas ?limit|intrinsic gas too high(?!.*(CallGasCost|GasFloor))|GasLimitExceeded|gas limit is above the block|CallerGasLimitMoreThanBlock/i,
    outcome: unacceptable("its gas limit is above what a block holds"),
  },
  {
    says: /intrinsic ?gas|floor data gas|GasFloorMoreThanGasLimit|CallGasCostMoreThanGasLimit|requires at least \d+ gas|base fee exceeds gas limit/i,
    outcome: unacceptable("its gas limit is below what it needs before its first instruction"),
  },
  {
    says: /oversized data|RLPTooLong|MaxTxSizeExceeded|transaction (size|too large)|exceeds max(imum)? (transaction )?size/i,
    outcome: unacceptable("it is longer than nodes take"),
  },
  {
    says: /max initcode size|initcode too large|init ?code size|CreateInitCodeSizeLimit/i,
    outcome: unacceptable("the code that it deploys is longer than the chain takes (EIP-3860)"),
  },
  {
    says: /gas price below (configured )?minimum|priority fee below|minimum needed \d+|tip (cap )?below|below the minimum|fee too low|FeeTooLow|^underpriced|gas price is too low|min(imum)? (gas price|tip)|gas tip cap/i,
    // a higher tip alone would make it acceptable
    outcome: (said) => ({ ...BELOW_MINIMUM(said), byFee: true }),
  },
  {
    says: /fee cap exceeded|exceeds the configured cap|TxFeeCap/i,
    outcome: unacceptable("its whole fee is above what the node lets anybody pay (geth --rpc.txfeecap)"),
  },
  {
    says: /priority fee per gas (higher than|exceeds|greater than) max fee|max_priority_fee_per_gas.*greater|InvalidMaxPriorityFeePerGas|tip (higher|above)/i,
    outcome: unacceptable("its tip is above its fee"),
  },
  {
    says: /higher than 2\^256|gas uint64 overflow|GasUintOverflow|Int256Overflow|negative value|nonce has max value|OverflowPayment/i,
    outcome: unacceptable("a number of it is out of range"),
  },
  {
    says: /type not supported|not supported (by|before|at)|(un|In)supported.*transaction type|InvalidTxType|invalid transaction type|NotSupportedTxType|rejected, pool not yet in|fork supporting this transaction type|TransactionUnsupportedAtHardfork/i,
    outcome: unacceptable("the chain does not know its type"),
  },
  {
    says: /invalid sender|invalid (transaction )?signature|InvalidTxSignature|FailedToResolveSender|failed to recover/i,
    outcome: unacceptable("the node finds no sender in its signature"),
  },
  {
    says: /only replay-protected/i,
    outcome: unacceptable("it names no chain (EIP-155)"),
  },
  {
    says: /not an eoa|SenderIsContract|RejectCallerWithCode|sender account not authorized|not authorized to send/i,
    outcome: unacceptable("its sender may send nothing there"),
  },
];

/**
 * Classifies a node's refusal of a raw transaction.
 * @param said the node's words
 * @returns "unacceptable" for a permanent refusal; "refused" for a temporary one, and for unknown words
 */
export const outcomeOf = (said: string): BroadcastOutcome =>
  (MEANINGS.find(({ says }) => says.test(said))?.outcome ?? refused)(said);
