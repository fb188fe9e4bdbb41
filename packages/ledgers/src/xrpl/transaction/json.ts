import type { LedgerJson } from "../../json.ts";
import type { RippledTransaction } from "./transaction.ts";

/** The maximum that a payment may deliver: DeliverMax, which replaces Amount in version 2 of the API. */
const deliverMax = (
  json: Readonly<Record<string, LedgerJson>>,
  version: number,
): Record<string, LedgerJson> => {
  const { Amount, ...rest } = json;
  if (Amount === undefined) return { ...rest };
  return version > 1 ? { ...rest, DeliverMax: Amount } : { ...rest, Amount, DeliverMax: Amount };
};

/** A transaction's fields in JSON, without its hash. @param version of the interface: 1 or 2 */
export const rippledTransactionJson = (
  { fields, type }: RippledTransaction,
  version: number,
): Readonly<Record<string, LedgerJson>> => {
  const json = { ...fields, TransactionType: type };
  return type === "Payment" ? deliverMax(json, version) : json;
};
