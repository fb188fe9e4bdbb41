import { fail, ok, type Result } from "@conclave/custody";
import type { AccessList } from "viem";
import { hexToBytes } from "viem/utils";
import type { Call } from "../calls/call.ts";

/** EIP-7825, in force since Osaka: the most gas of one transaction, unless the network's entry sets another limit. */
export const TRANSACTION_GAS_MAX = 16_777_216n;

/** The chain's limits on a transaction's gas. */
export interface GasLimits {
  /** the gas limit of the latest block */
  readonly block: bigint;
  /** the limit of one transaction; undefined if none is known to be in force */
  readonly transaction: bigint | undefined;
}

const PLAIN_TRANSFER_GAS = 21_000n;
/** The state may change between estimate and execution: add a fifth, in percent. */
const GAS_LIMIT_PERCENT = 120n;
/** A chain's block gas limit changes by less than a 1024th per block (go-ethereum params.GasLimitBoundDivisor). */
const MOVES_BY = 1024n;

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const aboveLimit = (gas: bigint, most: bigint, whose: string, word: string): Result<never> =>
  fail(
    "TransactionInvalid",
    { field: "gasLimit", given: gas.toString(), most: most.toString() },
    `The transaction is not valid: ${word} of ${gas} gas is above the ${most} gas that ${whose}. Ask for less gas, or split the work among several transactions.`,
  );

/** @param word name of the gas in the message: a limit or an estimate */
const judgeMost = (gas: bigint, { block, transaction }: GasLimits, word: string): Result<bigint> => {
  if (gas > block) return aboveLimit(gas, block, "a block of the network holds", word);
  return transaction !== undefined && gas > transaction
    ? aboveLimit(gas, transaction, "one transaction of the network may ask for (EIP-7825)", word)
    : ok(gas);
};

/**
 * The gas limit for an estimate.
 * @param estimate the answer of `eth_estimateGas`
 * @returns for a plain payment, the estimate, as its gas never varies; for a call, 20 % more, up to the chain's limit.
 * TransactionInvalid (details.field "gasLimit") if the estimate itself exceeds that limit
 */
export const gasLimitFor = (estimate: bigint, limits: GasLimits): Result<bigint> => {
  const possible = judgeMost(estimate, limits, "the estimate");
  if (!possible.ok || estimate === PLAIN_TRANSFER_GAS) return possible;
  // EIP-7825 may be in force although the entry does not say so: the margin must not push the limit above it
  const transaction =
    limits.transaction ?? (estimate <= TRANSACTION_GAS_MAX ? TRANSACTION_GAS_MAX : limits.block);
  const most = smaller(limits.block - limits.block / MOVES_BY, transaction);
  return ok(larger(estimate, smaller((estimate * GAS_LIMIT_PERCENT) / 100n, most)));
};

/** Yellow paper, appendix G; EIP-2028; EIP-2930. Nodes check the rules that only some chains have (EIP-3860, EIP-7623). */
const CREATION_GAS = 32_000n;
const ZERO_BYTE_GAS = 4n;
const DATA_BYTE_GAS = 16n;
const ACCESS_ADDRESS_GAS = 2_400n;
const ACCESS_KEY_GAS = 1_900n;

/** The gas that a transaction uses before its first instruction, on every chain. */
export const intrinsicGas = (
  { to, data }: Pick<Call, "to" | "data">,
  accessList: AccessList = [],
): bigint => {
  const bytes = hexToBytes(data);
  const zeroes = BigInt(bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0));
  const keys = accessList.reduce((count, { storageKeys }) => count + storageKeys.length, 0);
  return (
    PLAIN_TRANSFER_GAS +
    (to === undefined ? CREATION_GAS : 0n) +
    ZERO_BYTE_GAS * zeroes +
    DATA_BYTE_GAS * (BigInt(bytes.length) - zeroes) +
    ACCESS_ADDRESS_GAS * BigInt(accessList.length) +
    ACCESS_KEY_GAS * BigInt(keys)
  );
};

/**
 * Judges a gas limit that a caller chose, without a simulation; only a simulation can tell whether it is enough.
 * @returns the limit; TransactionInvalid (details.field "gasLimit") if no block could hold the transaction, or the limit is
 * below the intrinsic gas
 */
export const judgeGasLimit = (
  wanted: bigint,
  limits: GasLimits,
  call: Pick<Call, "to" | "data">,
): Result<bigint> => {
  const least = intrinsicGas(call);
  return wanted < least ? gasLimitTooLow(wanted, least) : judgeMost(wanted, limits, "a gas limit");
};

/** @param needed gas that is known to suffice, or the known minimum */
export const gasLimitTooLow = (wanted: bigint, needed: bigint): Result<never> =>
  fail(
    "TransactionInvalid",
    { field: "gasLimit", given: wanted.toString(), needed: needed.toString() },
    `The transaction is not valid: the gas limit of ${wanted} is too low for it. Ask for ${needed} gas, or leave gasLimit out.`,
  );
