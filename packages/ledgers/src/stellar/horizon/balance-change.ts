import type { LedgerJson } from "../../json.ts";
import { parseHorizonAddress } from "../address.ts";
import { creditOf } from "../operations/asset-code.ts";
import type { HorizonAsset } from "../xdr/asset.ts";
import type { HorizonValue } from "../xdr/contract-value.ts";
import type { HorizonContractEvent } from "../xdr/event.ts";
import { amountText, creditJson, textOfBytes } from "./format.ts";

/** An entry of `asset_balance_changes`; a missing party is an empty string. */
export interface BalanceChange {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly [field: string]: LedgerJson;
}

const textIn = (value: HorizonValue | undefined): string =>
  value?.type === "symbol" || value?.type === "string" ? textOfBytes(value.value) : "";

const holderIn = (value: HorizonValue | undefined): string =>
  value?.type === "address" ? value.value.value : "";

const assetNamed = (name: string): HorizonAsset => {
  const [code = "", issuer = ""] = name.split(":");
  const address = parseHorizonAddress(issuer);
  return address === undefined ? { type: "native", value: undefined } : creditOf(code, address);
};

/** The balance changes in an event of an asset's contract. @source stellar/go, contractevents */
export const balanceChange = ({ body }: HorizonContractEvent): readonly BalanceChange[] => {
  const { topics, data } = body;
  const type = textIn(topics[0]);
  if (data.type !== "i128") return [];
  const amount = amountText(data.value);
  const change = { type, amount, ...creditJson(assetNamed(textIn(topics.at(-1)))) };
  switch (type) {
    case "transfer":
      return [{ ...change, from: holderIn(topics[1]), to: holderIn(topics[2]) }];
    case "mint":
      return [{ ...change, from: "", to: holderIn(topics[1]) }];
    case "burn":
      return [{ ...change, from: holderIn(topics[1]), to: "" }];
    default:
      return [];
  }
};
