import type { LedgerJson } from "../../json.ts";
import { type HorizonAddress, parseHorizonAddress } from "../address.ts";
import type { HorizonRecord } from "../ledger.ts";
import { sourceOfOperation } from "../operations/operation.ts";
import { type HorizonState, ledgerOf } from "../state.ts";
import { isResultOfSuccess } from "../transaction/validity.ts";
import type { HorizonAsset } from "../xdr/asset.ts";
import type { HorizonOperation } from "../xdr/operation.ts";
import type { HorizonOperationResult, HorizonResult } from "../xdr/result.ts";
import { balanceChange } from "./balance-change.ts";
import { amountText, creditJson, type JsonFields, timeText } from "./format.ts";
import { linkTo } from "./link.ts";
import { operationPlaced, placeOfOperation } from "./paging.ts";

/** The effect of an operation on one account. */
export interface HorizonAccountEffect {
  readonly record: HorizonRecord;
  readonly operationPlace: bigint;
  /** its number among the operation's effects, from 1 */
  readonly number: number;
  readonly account: HorizonAddress;
  readonly type: keyof typeof TYPE_NUMBERS;
  readonly fields: JsonFields;
}

/** @source stellar/go, protocols/horizon/effects */
const TYPE_NUMBERS = {
  account_created: 0,
  account_removed: 1,
  account_credited: 2,
  account_debited: 3,
  contract_credited: 96,
  contract_debited: 97,
} as const;

const LUMENS: HorizonAsset = { type: "native", value: undefined };

type ShownEffect = Pick<HorizonAccountEffect, "account" | "type" | "fields">;

const moved = (asset: HorizonAsset, amount: bigint): JsonFields => ({
  ...creditJson(asset),
  amount: amountText(amount),
});

const resultsOf = ({ outcome }: HorizonResult): readonly HorizonOperationResult[] => {
  const own = outcome.type === "tx_fee_bump_inner_success" ? outcome.value.result.outcome : outcome;
  return own.type === "tx_success" ? own.value : [];
};

/** The balance of a merged account, which only the operation's result states. */
const mergedIn = (result: HorizonOperationResult | undefined): bigint =>
  result?.type === "op_inner" &&
  result.value.type === "accountMerge" &&
  result.value.value.type === "op_success"
    ? result.value.value.value
    : 0n;

const operationEffects = (
  record: HorizonRecord,
  { body }: HorizonOperation,
  source: HorizonAddress,
  result: HorizonOperationResult | undefined,
): readonly ShownEffect[] | undefined => {
  switch (body.type) {
    case "createAccount": {
      const { destination, startingBalance } = body.value;
      return [
        {
          account: destination,
          type: "account_created",
          fields: { starting_balance: amountText(startingBalance) },
        },
        { account: source, type: "account_debited", fields: moved(LUMENS, startingBalance) },
      ];
    }
    case "payment": {
      const fields = moved(body.value.asset, body.value.amount);
      return [
        { account: body.value.destination.account, type: "account_credited", fields },
        { account: source, type: "account_debited", fields },
      ];
    }
    case "accountMerge": {
      const fields = moved(LUMENS, mergedIn(result));
      return [
        { account: source, type: "account_debited", fields },
        { account: body.value.account, type: "account_credited", fields },
        { account: source, type: "account_removed", fields: {} },
      ];
    }
    case "invokeHostFunction":
      return effectsOfCall(record, source);
    default:
      return undefined;
  }
};

/**
 * The balance changes in the events of asset contracts. A change of a contract's balance counts as an effect on the
 * operation's source account.
 */
const effectsOfCall = ({ events }: HorizonRecord, source: HorizonAddress): readonly ShownEffect[] =>
  events
    .flat()
    .flatMap(balanceChange)
    .flatMap(({ type: _, from, to, ...fields }) => [
      ...holderEffect(from, "debited", source, fields),
      ...holderEffect(to, "credited", source, fields),
    ]);

const holderEffect = (
  holder: string,
  what: "credited" | "debited",
  source: HorizonAddress,
  fields: JsonFields,
): readonly ShownEffect[] => {
  if (holder === "") return [];
  const account = parseHorizonAddress(holder);
  return account === undefined
    ? [{ account: source, type: `contract_${what}`, fields: { ...fields, contract: holder } }]
    : [{ account, type: `account_${what}`, fields }];
};

/**
 * The effects of an operation that moved account balances. @returns undefined for other operations, and where none exists
 */
export const effectsAt = (
  state: HorizonState,
  place: bigint,
): readonly HorizonAccountEffect[] | undefined => {
  const { ledger, order, operation: at } = operationPlaced(place);
  const record = ledgerOf(state, ledger)?.transactions.find((each) => each.order === order);
  const operation = record?.submission.transaction.operations[at - 1];
  if (record === undefined || operation === undefined || !isResultOfSuccess(record.result)) return undefined;
  const source = sourceOfOperation(operation, record.submission.transaction);
  const operationPlace = placeOfOperation(record, at);
  return operationEffects(record, operation, source, resultsOf(record.result)[at - 1])?.map(
    (shown, index) => ({
      ...shown,
      record,
      operationPlace,
      number: index + 1,
    }),
  );
};

/** The effects of all operations of a transaction on accounts and contracts. */
export const effectsIn = (state: HorizonState, record: HorizonRecord): readonly HorizonAccountEffect[] =>
  record.submission.transaction.operations.flatMap(
    (_, at) => effectsAt(state, placeOfOperation(record, at + 1)) ?? [],
  );

const PLACE_DIGITS = 19;
const NUMBER_DIGITS = 10;

/** An entry of GET /operations/{id}/effects. */
export const horizonEffectJson = (effect: HorizonAccountEffect, origin: string): LedgerJson => {
  const { record, operationPlace, number, account, type, fields } = effect;
  return {
    _links: {
      operation: linkTo(origin, `/operations/${operationPlace}`),
      precedes: linkTo(origin, `/effects?order=asc&cursor=${operationPlace}-${number}`),
      succeeds: linkTo(origin, `/effects?order=desc&cursor=${operationPlace}-${number}`),
    },
    id: `${operationPlace.toString().padStart(PLACE_DIGITS, "0")}-${number.toString().padStart(NUMBER_DIGITS, "0")}`,
    paging_token: `${operationPlace}-${number}`,
    account,
    type,
    type_i: TYPE_NUMBERS[type],
    created_at: timeText(record.closedAt),
    ...fields,
  };
};
