import type { JavaTronAddress } from "../address.ts";
import type { JavaTronBooks } from "../books.ts";
import type { JavaTronPrices } from "../parameters.ts";

/** Where a transaction is tried or carried out. */
export interface JavaTronContext {
  readonly prices: JavaTronPrices;
  /** the block that it stands in, or would */
  readonly number: number;
  /** of that block, milliseconds since 1970 */
  readonly time: number;
  /** of the block before it */
  readonly headTime: number;
}

/** A contract's log. */
export interface JavaTronLog {
  /** 20 bytes in hex */
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** @source protocol/core/Tron.proto: Transaction.Result.contractResult */
export type JavaTronContractResult =
  | "SUCCESS"
  | "REVERT"
  | "OUT_OF_ENERGY"
  | "OUT_OF_TIME"
  | "BAD_JUMP_DESTINATION"
  | "ILLEGAL_OPERATION"
  | "STACK_TOO_SMALL"
  | "STACK_TOO_LARGE"
  | "INVALID_CODE"
  | "UNKNOWN";

/** The consumed bandwidth, and the fee for it. */
export interface JavaTronNetBill {
  /** bytes of the free bandwidth */
  readonly netUsage: number;
  /** sun, burnt */
  readonly netFee: bigint;
}

/** The result of a transaction, as its block keeps it. */
export interface JavaTronReceipt extends JavaTronNetBill {
  /** sun: all that it cost */
  readonly fee: bigint;
  readonly result: JavaTronContractResult;
  /** words of a contract that failed */
  readonly words: string;
  readonly energy: bigint;
  /** sun, burnt */
  readonly energyFee: bigint;
  readonly output: Uint8Array;
  readonly logs: readonly JavaTronLog[];
  /** of the contract that was called or made */
  readonly contract: JavaTronAddress | undefined;
  readonly assetId: string | undefined;
}

export interface JavaTronApplied {
  readonly books: JavaTronBooks;
  readonly receipt: JavaTronReceipt;
}

/** A contract to run: the engine does it, outside of the ledger's one step. */
export interface JavaTronCall {
  readonly books: JavaTronBooks;
  readonly caller: JavaTronAddress;
  readonly to: JavaTronAddress;
  /** runs in place of the contract's own code: it makes the contract */
  readonly creation: Uint8Array | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly energyLimit: bigint;
  readonly number: number;
  readonly time: number;
}

/** The outcome. Plain values: a journal keeps them, and no contract runs again after a restart. */
export interface JavaTronRun {
  readonly result: JavaTronContractResult;
  readonly words: string;
  readonly energy: bigint;
  readonly output: Uint8Array;
  readonly logs: readonly JavaTronLog[];
  /** the changes, if it succeeded */
  readonly balances: ReadonlyMap<JavaTronAddress, bigint>;
  readonly codes: ReadonlyMap<JavaTronAddress, Uint8Array>;
  readonly nonces: ReadonlyMap<JavaTronAddress, bigint>;
  /** by contract and slot; zero is written as "" */
  readonly storage: ReadonlyMap<JavaTronAddress, ReadonlyMap<string, string>>;
}

/** Runs contracts: outside of the ledger's one step, because the engine answers later. */
export type RunContract = (call: JavaTronCall) => Promise<JavaTronRun>;

/** A computation that asks for contracts to be run. */
export type AskingForRuns<T> = Generator<JavaTronCall, T, JavaTronRun>;

/** Why a node does not take a transaction. @source api.proto: Return.response_code */
export type JavaTronRefusalCode =
  | "SIGERROR"
  | "CONTRACT_VALIDATE_ERROR"
  | "CONTRACT_EXE_ERROR"
  | "BANDWITH_ERROR"
  | "DUP_TRANSACTION_ERROR"
  | "TAPOS_ERROR"
  | "TOO_BIG_TRANSACTION_ERROR"
  | "TRANSACTION_EXPIRATION_ERROR"
  | "SERVER_BUSY"
  | "NO_CONNECTION"
  | "NOT_ENOUGH_EFFECTIVE_CONNECTION"
  | "BLOCK_UNSOLIDIFIED"
  | "OTHER_ERROR";

export interface JavaTronRefusal {
  readonly code: JavaTronRefusalCode;
  readonly message: string;
}

/** Thrown within the rules, and caught where a transaction is tried: everything that it did is forgotten. */
export class JavaTronNotTaken extends Error {
  readonly refusal: JavaTronRefusal;

  constructor(code: JavaTronRefusalCode, message: string) {
    super(message);
    this.refusal = { code, message };
  }
}

export const javaTronInvalid = (words: string): JavaTronNotTaken =>
  new JavaTronNotTaken("CONTRACT_VALIDATE_ERROR", `Contract validate error : ${words}`);
