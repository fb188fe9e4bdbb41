import type { HorizonAddress } from "../address.ts";
import { accountEntry, type HorizonBooks, trustLineIn, withAccountEntry, withTrustLine } from "../books.ts";
import type { HorizonAsset } from "../xdr/asset.ts";
import { isLineAuthorized } from "./flags.ts";
import { MOST_STROOPS, spendable } from "./reserve.ts";

type Received = HorizonBooks | "op_no_destination" | "op_no_trust" | "op_not_authorized" | "op_line_full";
type Spent = HorizonBooks | "op_src_no_trust" | "op_src_not_authorized" | "op_underfunded";

/**
 * Credits an account with an asset. An issuer that receives its own asset destroys it: no balance changes.
 * @source stellar-core, PathPaymentOpFrameBase.cpp: updateDestBalance
 */
export const arrivedAt = (
  books: HorizonBooks,
  to: HorizonAddress,
  asset: HorizonAsset,
  amount: bigint,
): Received => {
  if (asset.type !== "native" && asset.value.issuer === to) return books;
  const account = accountEntry(books, to);
  if (account === undefined) return "op_no_destination";
  if (asset.type === "native") {
    const balance = account.balance + amount;
    return balance > MOST_STROOPS ? "op_line_full" : withAccountEntry(books, { ...account, balance });
  }
  const line = trustLineIn(books, to, asset);
  if (line === undefined) return "op_no_trust";
  if (!isLineAuthorized(line)) return "op_not_authorized";
  const balance = line.balance + amount;
  return balance > line.limit ? "op_line_full" : withTrustLine(books, { ...line, balance });
};

/**
 * Debits an account. An issuer that sends its own asset creates it: no balance changes.
 * @source stellar-core, PathPaymentOpFrameBase.cpp: updateSourceBalance
 */
export const takenFrom = (
  books: HorizonBooks,
  from: HorizonAddress,
  asset: HorizonAsset,
  amount: bigint,
  baseReserve: bigint,
): Spent => {
  if (asset.type === "native") {
    const account = accountEntry(books, from);
    if (account === undefined || spendable(account, baseReserve) < amount) return "op_underfunded";
    return withAccountEntry(books, { ...account, balance: account.balance - amount });
  }
  if (asset.value.issuer === from) return books;
  const line = trustLineIn(books, from, asset);
  if (line === undefined) return "op_src_no_trust";
  if (!isLineAuthorized(line)) return "op_src_not_authorized";
  if (line.balance < amount) return "op_underfunded";
  return withTrustLine(books, { ...line, balance: line.balance - amount });
};
