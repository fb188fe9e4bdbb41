import {
  accountEntry,
  type HorizonBooks,
  stellarEntryIn,
  withAccountEntry,
  withoutStellarEntry,
  withStellarEntry,
} from "../books.ts";
import type { HorizonActOf } from "../xdr/operation.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { withoutSubentry, withSubentry } from "./reserve.ts";
import { actedOn, actFailed, actRefused, type HorizonActed, type HorizonPlace } from "./ruling.ts";
import { isPrintableAscii } from "./set-options.ts";

type DataCode = Extract<HorizonInnerResult, { readonly type: "manageData" }>["value"]["type"];

const coded = (type: DataCode): HorizonInnerResult => ({
  type: "manageData",
  value: { type, value: undefined },
});

export const checkManageData = ({ name }: HorizonActOf<"manageData">): HorizonInnerResult =>
  coded(name.length === 0 || !isPrintableAscii(name) ? "op_data_invalid_name" : "op_success");

/** @source stellar-core, ManageDataOpFrame.cpp */
export const applyManageData = (
  books: HorizonBooks,
  { name, value }: HorizonActOf<"manageData">,
  { source, baseReserve }: HorizonPlace,
): HorizonActed => {
  const account = accountEntry(books, source);
  if (account === undefined) return actRefused("op_no_source_account");
  const key = { type: "data" as const, value: { account: source, name } };
  const isThere = stellarEntryIn(books, key) !== undefined;
  if (value === undefined) {
    if (!isThere) return actFailed(coded("op_data_name_not_found"));
    const shrunk = withAccountEntry(books, withoutSubentry(account));
    return actedOn(withoutStellarEntry(shrunk, key), coded("op_success"));
  }
  const grown = isThere ? account : withSubentry(account, baseReserve);
  if (grown === "op_too_many_subentries") return actRefused(grown);
  if (grown === "op_low_reserve") return actFailed(coded(grown));
  const data = { type: "data" as const, value: { account: source, name, value, extension: undefined } };
  return actedOn(withStellarEntry(withAccountEntry(books, grown), data), coded("op_success"));
};
