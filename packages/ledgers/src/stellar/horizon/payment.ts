import type { LedgerJson } from "../../json.ts";
import { type HorizonAddress, parseHorizonAddress } from "../address.ts";
import type { HorizonRecord } from "../ledger.ts";
import { sourceOfOperation } from "../operations/operation.ts";
import { isResultOfSuccess } from "../transaction/validity.ts";
import type { HorizonOperation } from "../xdr/operation.ts";
import { balanceChange } from "./balance-change.ts";
import { amountText, creditJson, type JsonFields, namedAccountJson, timeText } from "./format.ts";
import { linkTo } from "./link.ts";
import { placeOfOperation } from "./paging.ts";
import { horizonTransactionJson } from "./transaction.ts";

/** An operation by which money moved. */
export interface HorizonPayment {
  readonly record: HorizonRecord;
  readonly operation: HorizonOperation;
  readonly place: bigint;
}

interface Told {
  readonly type: string;
  readonly number: number;
  readonly accounts: readonly HorizonAddress[];
  readonly fields: JsonFields;
}

/** What Horizon tells of an operation, if it counts it as a payment. */
const toldOf = ({ operation, record }: Pick<HorizonPayment, "operation" | "record">): Told | undefined => {
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
      return toldOfCall(record);
    default:
      return undefined;
  }
};

/** A call of a contract counts by what the contract told: where an asset came from, and where it went. */
const toldOfCall = ({ events }: HorizonRecord): Told => {
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

/** The payments of a transaction; a failed one has none, unless somebody asks for those too. */
export const paymentsOf = (record: HorizonRecord, includesFailed: boolean): readonly HorizonPayment[] =>
  isResultOfSuccess(record.result) || includesFailed
    ? record.submission.transaction.operations.flatMap((operation, at) => {
        const payment = { record, operation, place: placeOfOperation(record, at + 1) };
        return toldOf(payment) === undefined ? [] : [payment];
      })
    : [];

export const isPaymentOf = (payment: HorizonPayment, address: HorizonAddress): boolean =>
  toldOf(payment)?.accounts.includes(address) ?? false;

/** An entry of GET /payments. @param joined whether its transaction comes with it */
export const horizonPaymentJson = (payment: HorizonPayment, origin: string, joined: boolean): LedgerJson => {
  const { record, operation, place } = payment;
  const { submission } = record;
  const told = toldOf(payment);
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
    type: told?.type,
    type_i: told?.number,
    created_at: timeText(record.closedAt),
    transaction_hash: submission.id,
    ...(joined && { transaction: horizonTransactionJson(record, origin) }),
    ...told?.fields,
  };
};
