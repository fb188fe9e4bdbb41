import { type XdrValue, xdrBytes, xdrI64, xdrList, xdrNoExtension, xdrStruct, xdrUnion } from "./codec.ts";
import { xdr } from "./sdk.ts";

/*
 * The result of a transaction. The SDK's codes have the names that Horizon gives them.
 * @source stellar/go, services/horizon/internal/codes/main.go
 */

const xdrInner = xdrUnion(xdr.OperationResultTr, {
  createAccount: xdrUnion(xdr.CreateAccountResult, {
    op_success: "createAccountSuccess",
    op_malformed: "createAccountMalformed",
    op_underfunded: "createAccountUnderfunded",
    op_low_reserve: "createAccountLowReserve",
    op_already_exists: "createAccountAlreadyExist",
  }),
  payment: xdrUnion(xdr.PaymentResult, {
    op_success: "paymentSuccess",
    op_malformed: "paymentMalformed",
    op_underfunded: "paymentUnderfunded",
    op_src_no_trust: "paymentSrcNoTrust",
    op_src_not_authorized: "paymentSrcNotAuthorized",
    op_no_destination: "paymentNoDestination",
    op_no_trust: "paymentNoTrust",
    op_not_authorized: "paymentNotAuthorized",
    op_line_full: "paymentLineFull",
    op_no_issuer: "paymentNoIssuer",
  }),
  setOptions: xdrUnion(xdr.SetOptionsResult, {
    op_success: "setOptionsSuccess",
    op_low_reserve: "setOptionsLowReserve",
    op_too_many_signers: "setOptionsTooManySigners",
    op_bad_flags: "setOptionsBadFlags",
    op_invalid_inflation: "setOptionsInvalidInflation",
    op_cant_change: "setOptionsCantChange",
    op_unknown_flag: "setOptionsUnknownFlag",
    op_threshold_out_of_range: "setOptionsThresholdOutOfRange",
    op_bad_signer: "setOptionsBadSigner",
    op_invalid_home_domain: "setOptionsInvalidHomeDomain",
    op_auth_revocable_required: "setOptionsAuthRevocableRequired",
  }),
  changeTrust: xdrUnion(xdr.ChangeTrustResult, {
    op_success: "changeTrustSuccess",
    op_malformed: "changeTrustMalformed",
    op_no_issuer: "changeTrustNoIssuer",
    op_invalid_limit: "changeTrustInvalidLimit",
    op_low_reserve: "changeTrustLowReserve",
    op_self_not_allowed: "changeTrustSelfNotAllowed",
    op_trust_line_missing: "changeTrustTrustLineMissing",
    op_cannot_delete: "changeTrustCannotDelete",
  }),
  allowTrust: xdrUnion(xdr.AllowTrustResult, {
    op_success: "allowTrustSuccess",
    op_malformed: "allowTrustMalformed",
    op_no_trustline: "allowTrustNoTrustLine",
    op_not_required: "allowTrustTrustNotRequired",
    op_cant_revoke: "allowTrustCantRevoke",
    op_self_not_allowed: "allowTrustSelfNotAllowed",
  }),
  accountMerge: xdrUnion(xdr.AccountMergeResult, {
    op_success: ["accountMergeSuccess", xdrI64],
    op_malformed: "accountMergeMalformed",
    op_no_account: "accountMergeNoAccount",
    op_immutable_set: "accountMergeImmutableSet",
    op_has_sub_entries: "accountMergeHasSubEntries",
    op_seq_num_too_far: "accountMergeSeqnumTooFar",
    op_dest_full: "accountMergeDestFull",
  }),
  manageData: xdrUnion(xdr.ManageDataResult, {
    op_success: "manageDataSuccess",
    op_data_name_not_found: "manageDataNameNotFound",
    op_low_reserve: "manageDataLowReserve",
    op_data_invalid_name: "manageDataInvalidName",
  }),
  bumpSequence: xdrUnion(xdr.BumpSequenceResult, {
    op_success: "bumpSequenceSuccess",
    op_bad_seq: "bumpSequenceBadSeq",
  }),
  setTrustLineFlags: xdrUnion(xdr.SetTrustLineFlagsResult, {
    op_success: "setTrustLineFlagsSuccess",
    op_malformed: "setTrustLineFlagsMalformed",
    op_no_trustline: "setTrustLineFlagsNoTrustLine",
    op_cant_revoke: "setTrustLineFlagsCantRevoke",
    op_invalid_state: "setTrustLineFlagsInvalidState",
  }),
  invokeHostFunction: xdrUnion(xdr.InvokeHostFunctionResult, {
    op_success: ["invokeHostFunctionSuccess", xdrBytes],
    op_malformed: "invokeHostFunctionMalformed",
    function_trapped: "invokeHostFunctionTrapped",
    resource_limit_exceeded: "invokeHostFunctionResourceLimitExceeded",
    entry_archived: "invokeHostFunctionEntryArchived",
    insufficient_refundable_fee: "invokeHostFunctionInsufficientRefundableFee",
  }),
});

const xdrOperationResult = xdrUnion(xdr.OperationResult, {
  op_inner: ["opInner", xdrInner],
  op_bad_auth: "opBadAuth",
  op_no_source_account: "opNoAccount",
  op_not_supported: "opNotSupported",
  op_too_many_subentries: "opTooManySubentries",
  op_exceeded_work_limit: "opExceededWorkLimit",
});

const xdrOperationResults = xdrList(xdrOperationResult);

const CODES = {
  tx_success: ["txSuccess", xdrOperationResults],
  tx_failed: ["txFailed", xdrOperationResults],
  tx_too_early: "txTooEarly",
  tx_too_late: "txTooLate",
  tx_missing_operation: "txMissingOperation",
  tx_bad_seq: "txBadSeq",
  tx_bad_auth: "txBadAuth",
  tx_insufficient_balance: "txInsufficientBalance",
  tx_no_source_account: "txNoAccount",
  tx_insufficient_fee: "txInsufficientFee",
  tx_bad_auth_extra: "txBadAuthExtra",
  tx_internal_error: "txInternalError",
  tx_not_supported: "txNotSupported",
  tx_bad_min_seq_age_or_gap: "txBadMinSeqAgeOrGap",
  tx_malformed: "txMalformed",
  tx_soroban_invalid: "txSorobanInvalid",
} as const;

const xdrInnerOutcome = xdrUnion(xdr.InnerTransactionResultResult, CODES);

/**
 * The result of a fee bump names the inner transaction and its outcome; the outer transaction pays the fee.
 */
const xdrCarried = xdrStruct(xdr.InnerTransactionResultPair, {
  hash: ["transactionHash", xdrBytes],
  result: xdrStruct(xdr.InnerTransactionResult, {
    feeCharged: xdrI64,
    outcome: ["result", xdrInnerOutcome],
    extension: ["ext", xdrNoExtension(xdr.InnerTransactionResultExt)],
  }),
});

const xdrOutcome = xdrUnion(xdr.TransactionResultResult, {
  ...CODES,
  tx_fee_bump_inner_success: ["txFeeBumpInnerSuccess", xdrCarried],
  tx_fee_bump_inner_failed: ["txFeeBumpInnerFailed", xdrCarried],
});

export const xdrTransactionResult = xdrStruct(xdr.TransactionResult, {
  /** stroops */
  feeCharged: xdrI64,
  outcome: ["result", xdrOutcome],
  extension: ["ext", xdrNoExtension(xdr.TransactionResultExt)],
});

export const xdrResultPair = xdrStruct(xdr.TransactionResultPair, {
  hash: ["transactionHash", xdrBytes],
  result: xdrTransactionResult,
});

export type HorizonOutcome = XdrValue<typeof xdrInnerOutcome>;
/** The result codes of a transaction that have no further detail. */
export type HorizonFlaw = Extract<HorizonOutcome, { readonly value: undefined }>["type"];
export type HorizonResult = XdrValue<typeof xdrTransactionResult>;
export type HorizonOperationResult = XdrValue<typeof xdrOperationResult>;
export type HorizonInnerResult = XdrValue<typeof xdrInner>;
