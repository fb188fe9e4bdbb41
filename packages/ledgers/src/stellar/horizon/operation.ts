import type { LedgerJson } from "../../json.ts";
import { type HorizonAddress, parseHorizonAddress } from "../address.ts";
import type { HorizonRecord } from "../ledger.ts";
import { sourceOfOperation } from "../operations/operation.ts";
import { isResultOfSuccess } from "../transaction/validity.ts";
import type { HorizonOperation, HorizonOperationBody } from "../xdr/operation.ts";
import { balanceChange } from "./balance-change.ts";
import { amountText, creditJson, type JsonFields, namedAccountJson, timeText } from "./format.ts";
import { linkTo } from "./link.ts";
import { placeOfOperation } from "./paging.ts";
import { horizonTransactionJson } from "./transaction.ts";

/** An operation with its transaction, and its position in history. */
export interface HorizonPlacedOperation {
  readonly record: HorizonRecord;
  readonly operation: HorizonOperation;
  readonly place: bigint;
}

/** Horizon's name of an operation type, and the type's number in the protocol. */
interface TypeName {
  readonly type: string;
  readonly number: number;
}

interface ShownPayment extends TypeName {
  readonly accounts: readonly HorizonAddress[];
  readonly fields: JsonFields;
}

/** The operation types that Horizon does not count as payments. */
const OTHERS: Readonly<Partial<Record<HorizonOperationBody["type"], TypeName>>> = {
  setOptions: { type: "set_options", number: 5 },
  changeTrust: { type: "change_trust", number: 6 },
  allowTrust: { type: "allow_trust", number: 7 },
  manageData: { type: "manage_data", number: 10 },
  bumpSequence: { type: "bump_sequence", number: 11 },
  setTrustLineFlags: { type: "set_trust_line_flags", number: 21 },
};

/** Horizon's payment record of an operation; undefined if the operation is not a payment. */
const paymentOf = ({
  operation,
  record,
}: Pick<HorizonPlacedOperation, "operation" | "record">): ShownPayment | undefined => {
  const { transaction } = record.submission;
  const source = sourceOfOperation(operation, transaction);
  const { body } = operation;
  const from = operation.source ?? transaction.source;
  switch (body.type) {
    case "createAccount": {
      const { destination, startingBalance } = body.value;
      const fields = {
        starting_balance: amountText(startingBalance),
        ...namedAccountJson("funder", from),
        account: destination,
      };
      return { type: "create_account", number: 0, accounts: [source, destination], fields };
    }
    case "payment": {
      const { destination, asset, amount } = body.value;
      const fields = {
        ...creditJson(asset),
        ...namedAccountJson("from", from),
        ...namedAccountJson("to", destination),
        amount: amountText(amount),
      };
      return { type: "payment", number: 1, accounts: [source, destination.account], fields };
    }
    case "accountMerge": {
      const fields = { ...namedAccountJson("account", from), ...namedAccountJson("into", body.value) };
      return { type: "account_merge", number: 8, accounts: [source, body.value.account], fields };
    }
    case "invokeHostFunction":
      return paymentOfCall(record);
    default:
      return undefined;
  }
};

/** A contract call counts as a payment by the balance changes in its events. */
const paymentOfCall = ({ events }: HorizonRecord): ShownPayment => {
  const changes = events.flat().flatMap(balanceChange);
  return {
    type: "invoke_host_function",
    number: 24,
    accounts: changes
      .flatMap(({ from, to }) => [from, to])
      .flatMap((holder) => parseHorizonAddress(holder) ?? []),
    fields: {
      function: "HostFunctionTypeHostFunctionTypeInvokeContract",
      asset_balance_changes: changes.map(({ from, to, ...change }) => ({
        ...change,
        ...(from !== "" && { from }),
        ...(to !== "" && { to }),
      })),
    },
  };
};

/** The operations of a transaction; those of a failed one only if asked for. */
export const horizonOperationsOf = (
  record: HorizonRecord,
  includesFailed: boolean,
): readonly HorizonPlacedOperation[] =>
  isResultOfSuccess(record.result) || includesFailed
    ? record.submission.transaction.operations.map((operation, at) => ({
        record,
        operation,
        place: placeOfOperation(record, at + 1),
      }))
    : [];

/** The operations of a transaction that are payments. */
export const paymentsOf = (
  record: HorizonRecord,
  includesFailed: boolean,
): readonly HorizonPlacedOperation[] =>
  horizonOperationsOf(record, includesFailed).filter((placed) => paymentOf(placed) !== undefined);

export const isPaymentOf = (payment: HorizonPlacedOperation, address: HorizonAddress): boolean =>
  paymentOf(payment)?.accounts.includes(address) ?? false;

/**
 * An entry of GET /payments and of GET /ledgers/{sequence}/operations. An operation that is not a payment shows only its
 * type.
 * @param joined whether to include its transaction
 */
export const horizonOperationJson = (
  placed: HorizonPlacedOperation,
  origin: string,
  joined: boolean,
): LedgerJson => {
  const { record, operation, place } = placed;
  const { submission } = record;
  const shown = paymentOf(placed);
  const named = shown ?? OTHERS[operation.body.type];
  return {
    _links: {
      transaction: linkTo(origin, `/transactions/${submission.id}`),
      precedes: linkTo(origin, `/payments?order=asc&cursor=${place}`),
      succeeds: linkTo(origin, `/payments?order=desc&cursor=${place}`),
    },
    id: place.toString(),
    paging_token: place.toString(),
    transaction_successful: isResultOfSuccess(record.result),
    ...namedAccountJson("source_account", operation.source ?? submission.transaction.source),
    type: named?.type,
    type_i: named?.number,
    created_at: timeText(record.closedAt),
    transaction_hash: submission.id,
    ...(joined && { transaction: horizonTransactionJson(record, origin) }),
    ...shown?.fields,
  };
};
