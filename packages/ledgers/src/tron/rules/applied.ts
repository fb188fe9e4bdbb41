import type { JavaTronAddress } from "../address.ts";
import type { JavaTronBooks } from "../books.ts";
import type { JavaTronPrices } from "../parameters.ts";

/** The block and prices for which a transaction is tried or carried out. */
export interface JavaTronContext {
  readonly prices: JavaTronPrices;
  /** number of the block that holds the transaction, or would */
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

/** The bandwidth that a transaction used, and its fee for bytes beyond that. */
export interface JavaTronNetBill {
  /** bytes of free bandwidth */
  readonly netUsage: number;
  /** sun, burnt */
  readonly netFee: bigint;
}

/** The result of a transaction in its block. */
export interface JavaTronReceipt extends JavaTronNetBill {
  /** sun: the whole cost */
  readonly fee: bigint;
  readonly result: JavaTronContractResult;
  /** message of a contract that failed */
  readonly words: string;
  readonly energy: bigint;
  /** sun, burnt */
  readonly energyFee: bigint;
  readonly output: Uint8Array;
  readonly logs: readonly JavaTronLog[];
  /** the contract that was called or created */
  readonly contract: JavaTronAddress | undefined;
  readonly assetId: string | undefined;
}

export interface JavaTronApplied {
  readonly books: JavaTronBooks;
  readonly receipt: JavaTronReceipt;
}

/** A contract to run. The engine runs it asynchronously, outside the ledger's transition function. */
export interface JavaTronCall {
  readonly books: JavaTronBooks;
  readonly caller: JavaTronAddress;
  readonly to: JavaTronAddress;
  /** creation code to run, which deploys the contract; undefined for a call */
  readonly creation: Uint8Array | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly energyLimit: bigint;
  readonly number: number;
  readonly time: number;
}

/** The outcome of a run. It is plain data, which the journal stores, so a restart runs no contract again. */
export interface JavaTronRun {
  readonly result: JavaTronContractResult;
  readonly words: string;
  readonly energy: bigint;
  readonly output: Uint8Array;
  readonly logs: readonly JavaTronLog[];
  /** changes, if the run succeeded */
  readonly balances: ReadonlyMap<JavaTronAddress, bigint>;
  readonly codes: ReadonlyMap<JavaTronAddress, Uint8Array>;
  readonly nonces: ReadonlyMap<JavaTronAddress, bigint>;
  /** by contract and slot; a slot that became zero is "" */
  readonly storage: ReadonlyMap<JavaTronAddress, ReadonlyMap<string, string>>;
}

/** Runs a contract. It is asynchronous, and therefore outside the ledger's transition function. */
export type RunContract = (call: JavaTronCall) => Promise<JavaTronRun>;

/** A computation that yields contracts and receives their runs. */
export type AskingForRuns<T> = Generator<JavaTronCall, T, JavaTronRun>;

/** Why a node refuses a transaction. @source api.proto: Return.response_code */
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

/** Thrown by the rules, and caught by the code that tries a transaction, which discards the attempt. */
export class JavaTronNotTaken extends Error {
  readonly refusal: JavaTronRefusal;

  constructor(code: JavaTronRefusalCode, message: string) {
    super(message);
    this.refusal = { code, message };
  }
}

export const javaTronInvalid = (words: string): JavaTronNotTaken =>
  new JavaTronNotTaken("CONTRACT_VALIDATE_ERROR", `Contract validate error : ${words}`);
