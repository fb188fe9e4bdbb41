import { bucketValue } from "./bucket-map.ts";
import { type BitcoindFeeRate, feeAt, ONE_BITCOIN } from "./fee-rate.ts";
import { admitTransaction, MISSING_INPUTS } from "./mempool/admission.ts";
import { isUnspendable } from "./script/script-kind.ts";
import type { BitcoindState } from "./state.ts";
import { decodeBitcoindTransaction } from "./transaction/decode.ts";
import { type BitcoindSerialisedTransaction, outpointKey } from "./transaction/transaction.ts";

/** 0.1 BTC per 1,000 virtual bytes; a higher rate is probably a sender's mistake. */
export const DEFAULT_MAX_FEE_RATE: BitcoindFeeRate = ONE_BITCOIN / 10n;

export interface BitcoindSubmission {
  readonly bytes: Uint8Array;
  /** a higher fee rate is refused; 0 sets no limit */
  readonly maxFeeRate: BitcoindFeeRate;
  /** maximum satoshis in unspendable outputs */
  readonly maxBurn: bigint;
  /** seconds since 1970 */
  readonly time: number;
}

/** A refusal, as a JSON-RPC error. */
export interface BitcoindRefusal {
  readonly code: number;
  readonly message: string;
}

export type SubmissionOutcome =
  | { readonly ok: true; readonly state: BitcoindState; readonly txid: string }
  | ({ readonly ok: false } & BitcoindRefusal);

/** JSON-RPC error codes. @source Bitcoin Core, src/rpc/protocol.h */
const TRANSACTION_ERROR = -25;
const TRANSACTION_REJECTED = -26;
const ALREADY_IN_UTXO_SET = -27;
const DESERIALIZATION_ERROR = -22;

const refuse = (code: number, message: string): SubmissionOutcome => ({ ok: false, code, message });

const isConfirmed = ({ chain }: BitcoindState, { txid, outputs }: BitcoindSerialisedTransaction): boolean =>
  outputs.some((_, index) => bucketValue(chain.coins, outpointKey({ txid, index })) !== undefined);

export const DECODE_FAILED = "TX decode failed. Make sure the tx has at least one input.";

/**
 * Submits a transaction as sendrawtransaction does.
 * @source Bitcoin Core 29, src/rpc/mempool.cpp: sendrawtransaction; src/node/transaction.cpp: BroadcastTransaction
 */
export const submitTransaction = (
  state: BitcoindState,
  { bytes, maxFeeRate, maxBurn, time }: BitcoindSubmission,
): SubmissionOutcome => {
  const transaction = decodeBitcoindTransaction(bytes);
  if (transaction === undefined) return refuse(DESERIALIZATION_ERROR, DECODE_FAILED);
  const { txid, outputs, virtualSize } = transaction;
  if (outputs.some(({ script, amount }) => isUnspendable(script) && amount > maxBurn)) {
    const words = "Unspendable output exceeds maximum configured by user (maxburnamount)";
    return refuse(TRANSACTION_ERROR, words);
  }
  if (isConfirmed(state, transaction)) {
    return refuse(ALREADY_IN_UTXO_SET, "Transaction outputs already in utxo set");
  }
  if (state.mempool.entries.has(txid)) return { ok: true, state, txid };
  const admitted = admitTransaction({ ...state, time }, transaction);
  if (!admitted.ok) {
    const code = admitted.message === MISSING_INPUTS ? TRANSACTION_ERROR : TRANSACTION_REJECTED;
    return refuse(code, admitted.message);
  }
  const { fee, mempool } = admitted.value;
  if (maxFeeRate > 0n && fee > feeAt(maxFeeRate, virtualSize)) {
    const words = "Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)";
    return refuse(TRANSACTION_ERROR, words);
  }
  return { ok: true, state: { ...state, mempool }, txid };
};
