import type { HorizonAddress } from "../address.ts";
import type { HorizonBooks } from "../books.ts";
import type { HorizonContractEvent } from "../xdr/event.ts";
import type { HorizonSorobanData } from "../xdr/invocation.ts";
import type { HorizonInnerResult, HorizonOperationResult } from "../xdr/result.ts";

/** Where and when an operation happens. */
export interface HorizonPlace {
  /** the account that the operation is of */
  readonly source: HorizonAddress;
  /** stroops for each entry that an account keeps in the ledger */
  readonly baseReserve: bigint;
  /** the ids of contracts follow from it */
  readonly networkId: Uint8Array;
  /** the resources of a contract's call; undefined if the transaction declares nothing */
  readonly allowance: CallAllowance | undefined;
}

export interface CallAllowance {
  readonly declared: HorizonSorobanData;
  /** stroops that are there for what is refunded if it is not used */
  readonly refundable: bigint;
}

/** A contract's events, and its used resources. */
export interface ContractDone {
  readonly event: HorizonContractEvent;
  /** stroops for what is kept from now on */
  readonly rent: bigint;
  /** stroops for the events */
  readonly eventFee: bigint;
}

/** The result of an operation: the books after it, or the reason of its failure. */
export type HorizonActed =
  | {
      readonly ok: true;
      readonly books: HorizonBooks;
      readonly result: HorizonOperationResult;
      readonly contract: ContractDone | undefined;
    }
  | { readonly ok: false; readonly result: HorizonOperationResult };

export const innerResult = (value: HorizonInnerResult): HorizonOperationResult => ({
  type: "op_inner",
  value,
});

export const actedOn = (
  books: HorizonBooks,
  value: HorizonInnerResult,
  contract?: ContractDone,
): HorizonActed => ({ ok: true, books, result: innerResult(value), contract });

export const actFailed = (value: HorizonInnerResult): HorizonActed => ({
  ok: false,
  result: innerResult(value),
});

/** Codes of every operation. */
type OuterCode = Exclude<HorizonOperationResult["type"], "op_inner">;

export const outerResult = (type: OuterCode): HorizonOperationResult => ({ type, value: undefined });

export const actRefused = (type: OuterCode): HorizonActed => ({ ok: false, result: outerResult(type) });
