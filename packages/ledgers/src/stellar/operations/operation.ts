import type { HorizonAddress } from "../address.ts";
import { accountEntry, type HorizonBooks, hasRoom } from "../books.ts";
import { applyInvocation } from "../soroban/execute.ts";
import { nonRefundableFee } from "../soroban/resources.ts";
import type { HorizonTransaction } from "../xdr/envelope.ts";
import type { HorizonOperation } from "../xdr/operation.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { applyMerge, checkMerge } from "./account-merge.ts";
import { applyBumpSequence, checkBumpSequence } from "./bump-sequence.ts";
import { applyChangeTrust, checkChangeTrust } from "./change-trust.ts";
import { applyCreation, checkCreation } from "./create-account.ts";
import { applyManageData, checkManageData } from "./manage-data.ts";
import { applyHorizonPayment, checkPayment } from "./payment.ts";
import { actFailed, actRefused, type HorizonActed, type HorizonPlace } from "./ruling.ts";
import { applyOptions, checkOptions } from "./set-options.ts";
import { applyAllowTrust, applyTrustLineFlags, checkAllowTrust, checkTrustLineFlags } from "./trust-flags.ts";

/** The source account of an operation: its own, or by default the transaction's. */
export const sourceOfOperation = (
  { source }: HorizonOperation,
  transaction: HorizonTransaction,
): HorizonAddress => (source ?? transaction.source).account;

/** The part of the resource fee that is refunded if unused. @param size of the envelope, in bytes */
export const refundableOf = ({ extension }: HorizonTransaction, size: number): bigint =>
  extension.type === "soroban" ? extension.value.resourceFee - nonRefundableFee(extension.value, size) : 0n;

/** The context in which an operation is carried out. @param size of the envelope, in bytes */
export const placeOfOperationIn = (
  operation: HorizonOperation,
  transaction: HorizonTransaction,
  size: number,
  { baseReserve, networkId }: Pick<HorizonPlace, "baseReserve" | "networkId">,
): HorizonPlace => {
  const { extension } = transaction;
  const allowance =
    extension.type === "soroban"
      ? { declared: extension.value, refundable: refundableOf(transaction, size) }
      : undefined;
  return { source: sourceOfOperation(operation, transaction), baseReserve, networkId, allowance };
};

/** The threshold of the account that an operation must reach: 1 low, 2 medium, 3 high. */
export const thresholdOf = ({ body }: HorizonOperation): 1 | 2 | 3 => {
  switch (body.type) {
    case "allowTrust":
    case "setTrustLineFlags":
    case "bumpSequence":
      return 1;
    case "accountMerge":
      return 3;
    case "setOptions": {
      const { masterWeight, lowThreshold, mediumThreshold, highThreshold, signer } = body.value;
      const guards = [masterWeight, lowThreshold, mediumThreshold, highThreshold, signer];
      return guards.every((each) => each === undefined) ? 2 : 3;
    }
    case "createAccount":
    case "payment":
    case "changeTrust":
    case "manageData":
    case "invokeHostFunction":
      return 2;
  }
};

/** The result hash of a call that was not carried out yet. */
const NO_HASH = new Uint8Array(32);

/** Checks an operation without the ledger's state: success, or the code of its defect. */
export const checkOperation = ({ body }: HorizonOperation, place: HorizonPlace): HorizonInnerResult => {
  switch (body.type) {
    case "createAccount":
      return checkCreation(body.value, place);
    case "payment":
      return checkPayment(body.value);
    case "setOptions":
      return checkOptions(body.value, place);
    case "changeTrust":
      return checkChangeTrust(body.value, place);
    case "allowTrust":
      return checkAllowTrust(body.value, place);
    case "accountMerge":
      return checkMerge(body.value, place);
    case "manageData":
      return checkManageData(body.value);
    case "bumpSequence":
      return checkBumpSequence(body.value);
    case "setTrustLineFlags":
      return checkTrustLineFlags(body.value, place);
    case "invokeHostFunction":
      return { type: "invokeHostFunction", value: { type: "op_success", value: NO_HASH } };
  }
};

export const isSuccess = ({ value }: HorizonInnerResult): boolean => value.type === "op_success";

const carriedOut = (books: HorizonBooks, { body }: HorizonOperation, place: HorizonPlace): HorizonActed => {
  switch (body.type) {
    case "createAccount":
      return applyCreation(books, body.value, place);
    case "payment":
      return applyHorizonPayment(books, body.value, place);
    case "setOptions":
      return applyOptions(books, body.value, place);
    case "changeTrust":
      return applyChangeTrust(books, body.value, place);
    case "allowTrust":
      return applyAllowTrust(books, body.value, place);
    case "accountMerge":
      return applyMerge(books, body.value, place);
    case "manageData":
      return applyManageData(books, body.value, place);
    case "bumpSequence":
      return applyBumpSequence(books, body.value, place);
    case "setTrustLineFlags":
      return applyTrustLineFlags(books, body.value, place);
    case "invokeHostFunction":
      return applyInvocation(books, body.value, place);
  }
};

/** Carries an operation out. */
export const applyOperation = (
  books: HorizonBooks,
  operation: HorizonOperation,
  place: HorizonPlace,
): HorizonActed => {
  if (accountEntry(books, place.source) === undefined) return actRefused("op_no_source_account");
  const checked = checkOperation(operation, place);
  if (!isSuccess(checked)) return actFailed(checked);
  return hasRoom(books) ? carriedOut(books, operation, place) : actRefused("op_exceeded_work_limit");
};
