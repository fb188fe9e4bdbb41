import { xdrHash } from "./account.ts";
import { type XdrValue, xdrI64, xdrList, xdrNoExtension, xdrStruct, xdrUnion, xdrVoid } from "./codec.ts";

/*
 * The result of a transaction. Each code stands under the word that Horizon has for it.
 * @source stellar-xdr, Stellar-transaction.x; stellar/go, services/horizon/internal/codes/main.go
 */

const OK = { op_success: [0, xdrVoid] } as const;

const xdrInner = xdrUnion("operation result", {
  createAccount: [
    0,
    xdrUnion("result", {
      ...OK,
      op_malformed: [-1, xdrVoid],
      op_underfunded: [-2, xdrVoid],
      op_low_reserve: [-3, xdrVoid],
      op_already_exists: [-4, xdrVoid],
    }),
  ],
  payment: [
    1,
    xdrUnion("result", {
      ...OK,
      op_malformed: [-1, xdrVoid],
      op_underfunded: [-2, xdrVoid],
      op_src_no_trust: [-3, xdrVoid],
      op_src_not_authorized: [-4, xdrVoid],
      op_no_destination: [-5, xdrVoid],
      op_no_trust: [-6, xdrVoid],
      op_not_authorized: [-7, xdrVoid],
      op_line_full: [-8, xdrVoid],
      op_no_issuer: [-9, xdrVoid],
    }),
  ],
  setOptions: [
    5,
    xdrUnion("result", {
      ...OK,
      op_low_reserve: [-1, xdrVoid],
      op_too_many_signers: [-2, xdrVoid],
      op_bad_flags: [-3, xdrVoid],
      op_invalid_inflation: [-4, xdrVoid],
      op_cant_change: [-5, xdrVoid],
      op_unknown_flag: [-6, xdrVoid],
      op_threshold_out_of_range: [-7, xdrVoid],
      op_bad_signer: [-8, xdrVoid],
      op_invalid_home_domain: [-9, xdrVoid],
      op_auth_revocable_required: [-10, xdrVoid],
    }),
  ],
  changeTrust: [
    6,
    xdrUnion("result", {
      ...OK,
      op_malformed: [-1, xdrVoid],
      op_no_issuer: [-2, xdrVoid],
      op_invalid_limit: [-3, xdrVoid],
      op_low_reserve: [-4, xdrVoid],
      op_self_not_allowed: [-5, xdrVoid],
      op_trust_line_missing: [-6, xdrVoid],
      op_cannot_delete: [-7, xdrVoid],
    }),
  ],
  allowTrust: [
    7,
    xdrUnion("result", {
      ...OK,
      op_malformed: [-1, xdrVoid],
      op_no_trustline: [-2, xdrVoid],
      op_not_required: [-3, xdrVoid],
      op_cant_revoke: [-4, xdrVoid],
      op_self_not_allowed: [-5, xdrVoid],
    }),
  ],
  accountMerge: [
    8,
    xdrUnion("result", {
      op_success: [0, xdrI64],
      op_malformed: [-1, xdrVoid],
      op_no_account: [-2, xdrVoid],
      op_immutable_set: [-3, xdrVoid],
      op_has_sub_entries: [-4, xdrVoid],
      op_seq_num_too_far: [-5, xdrVoid],
      op_dest_full: [-6, xdrVoid],
    }),
  ],
  manageData: [
    10,
    xdrUnion("result", {
      ...OK,
      op_data_name_not_found: [-2, xdrVoid],
      op_low_reserve: [-3, xdrVoid],
      op_data_invalid_name: [-4, xdrVoid],
    }),
  ],
  bumpSequence: [11, xdrUnion("result", { ...OK, op_bad_seq: [-1, xdrVoid] })],
  setTrustLineFlags: [
    21,
    xdrUnion("result", {
      ...OK,
      op_malformed: [-1, xdrVoid],
      op_no_trustline: [-2, xdrVoid],
      op_cant_revoke: [-3, xdrVoid],
      op_invalid_state: [-4, xdrVoid],
    }),
  ],
  invokeHostFunction: [
    24,
    xdrUnion("result", {
      op_success: [0, xdrHash],
      op_malformed: [-1, xdrVoid],
      function_trapped: [-2, xdrVoid],
      resource_limit_exceeded: [-3, xdrVoid],
      entry_archived: [-4, xdrVoid],
      insufficient_refundable_fee: [-5, xdrVoid],
    }),
  ],
});

const xdrOperationResult = xdrUnion("operation result", {
  op_inner: [0, xdrInner],
  op_bad_auth: [-1, xdrVoid],
  op_no_source_account: [-2, xdrVoid],
  op_not_supported: [-3, xdrVoid],
  op_too_many_subentries: [-4, xdrVoid],
  op_exceeded_work_limit: [-5, xdrVoid],
});

const xdrOperationResults = xdrList(xdrOperationResult, 100);

const CODES = {
  tx_success: [0, xdrOperationResults],
  tx_failed: [-1, xdrOperationResults],
  tx_too_early: [-2, xdrVoid],
  tx_too_late: [-3, xdrVoid],
  tx_missing_operation: [-4, xdrVoid],
  tx_bad_seq: [-5, xdrVoid],
  tx_bad_auth: [-6, xdrVoid],
  tx_insufficient_balance: [-7, xdrVoid],
  tx_no_source_account: [-8, xdrVoid],
  tx_insufficient_fee: [-9, xdrVoid],
  tx_bad_auth_extra: [-10, xdrVoid],
  tx_internal_error: [-11, xdrVoid],
  tx_not_supported: [-12, xdrVoid],
  tx_bad_min_seq_age_or_gap: [-15, xdrVoid],
  tx_malformed: [-16, xdrVoid],
  tx_soroban_invalid: [-17, xdrVoid],
} as const;

const xdrInnerOutcome = xdrUnion("transaction result", CODES);

/** A fee bump names the transaction that it carries, and what came of that; the fee is the outer one's to pay. */
const xdrCarried = xdrStruct({
  hash: xdrHash,
  feeCharged: xdrI64,
  outcome: xdrInnerOutcome,
  extension: xdrNoExtension,
});

const xdrOutcome = xdrUnion("transaction result", {
  ...CODES,
  tx_fee_bump_inner_success: [1, xdrCarried],
  tx_fee_bump_inner_failed: [-13, xdrCarried],
});

export const xdrTransactionResult = xdrStruct({
  /** stroops */
  feeCharged: xdrI64,
  outcome: xdrOutcome,
  extension: xdrNoExtension,
});

export const xdrResultPair = xdrStruct({ hash: xdrHash, result: xdrTransactionResult });

export type HorizonOutcome = XdrValue<typeof xdrInnerOutcome>;
/** Codes of a transaction that say everything. */
export type HorizonFlaw = Extract<HorizonOutcome, { readonly value: undefined }>["type"];
export type HorizonResult = XdrValue<typeof xdrTransactionResult>;
export type HorizonOperationResult = XdrValue<typeof xdrOperationResult>;
export type HorizonInnerResult = XdrValue<typeof xdrInner>;
