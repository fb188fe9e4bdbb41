import type { HorizonAddress } from "../address.ts";
import type { HorizonBooks } from "../books.ts";
import type { HorizonContractEvent } from "../xdr/event.ts";
import type { HorizonSorobanData } from "../xdr/invocation.ts";
import type { HorizonInnerResult, HorizonOperationResult } from "../xdr/result.ts";

/** The context in which an operation is carried out. */
export interface HorizonPlace {
  /** the operation's source account */
  readonly source: HorizonAddress;
  /** stroops for each ledger entry of an account */
  readonly baseReserve: bigint;
  /** contract ids are derived from it */
  readonly networkId: Uint8Array;
  /** the declared resources of a contract call; undefined if the transaction declares none */
  readonly allowance: CallAllowance | undefined;
}

export interface CallAllowance {
  readonly declared: HorizonSorobanData;
  /** stroops that pay the refundable part of the fee */
  readonly refundable: bigint;
}

/** The event of a contract call, and the fees for its resources. */
export interface ContractDone {
  readonly event: HorizonContractEvent;
  /** stroops for the storage of new data */
  readonly rent: bigint;
  /** stroops for the event */
  readonly eventFee: bigint;
}

/** The result of an operation: the books after it, or the code of its failure. */
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

/** Result codes that any operation can have. */
type OuterCode = Exclude<HorizonOperationResult["type"], "op_inner">;

export const outerResult = (type: OuterCode): HorizonOperationResult => ({ type, value: undefined });

export const actRefused = (type: OuterCode): HorizonActed => ({ ok: false, result: outerResult(type) });
