import type { HorizonAddress } from "../address.ts";
import type { HorizonBooks } from "../books.ts";
import type { HorizonInnerResult, HorizonOperationResult } from "../xdr/result.ts";

/** Where and when an operation happens. */
export interface HorizonPlace {
  /** the account that the operation is of */
  readonly source: HorizonAddress;
  /** stroops for each entry that an account keeps in the ledger */
  readonly baseReserve: bigint;
}

/** What an operation did: the books after it, or why it did nothing. */
export type HorizonActed =
  | { readonly ok: true; readonly books: HorizonBooks; readonly result: HorizonOperationResult }
  | { readonly ok: false; readonly result: HorizonOperationResult };

export const innerResult = (value: HorizonInnerResult): HorizonOperationResult => ({
  type: "op_inner",
  value,
});

export const actedOn = (books: HorizonBooks, value: HorizonInnerResult): HorizonActed => ({
  ok: true,
  books,
  result: innerResult(value),
});

export const actFailed = (value: HorizonInnerResult): HorizonActed => ({
  ok: false,
  result: innerResult(value),
});

/** Codes of every operation. */
type OuterCode = Exclude<HorizonOperationResult["type"], "op_inner">;

export const outerResult = (type: OuterCode): HorizonOperationResult => ({ type, value: undefined });

export const actRefused = (type: OuterCode): HorizonActed => ({ ok: false, result: outerResult(type) });
