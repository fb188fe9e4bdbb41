import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from "./address.ts";
import type { AgaveMessage } from "./wire/message.ts";

/** Lamports per signature. */
const SIGNATURE_LAMPORTS = 5_000n;
const UNITS_MAX = 1_400_000n;
/** The default limit per instruction, unless the transaction sets a limit for all instructions together. */
const UNITS_OF_PROGRAM = 200_000n;
const UNITS_OF_BUILTIN = 3_000n;
const MICRO = 1_000_000n;

const SET_LIMIT = 2;
const SET_PRICE = 3;

/** The compute units that a transaction requests, and the price that it offers. */
export interface AgaveBudget {
  readonly units: bigint;
  /** micro-lamports per unit */
  readonly unitPrice: bigint;
}

const usual = (message: AgaveMessage): bigint =>
  message.instructions.reduce((sum, { program }) => {
    const address = message.keys[program];
    const isBuiltin = address === SYSTEM_PROGRAM || address === COMPUTE_BUDGET_PROGRAM;
    return sum + (isBuiltin ? UNITS_OF_BUILTIN : UNITS_OF_PROGRAM);
  }, 0n);

/** @source Agave, compute-budget-instruction: process_compute_budget_instructions */
export const agaveBudgetOf = (message: AgaveMessage): AgaveBudget => {
  const [limit, price] = [SET_LIMIT, SET_PRICE].map((kind) =>
    message.instructions.find(
      ({ program, data }) => message.keys[program] === COMPUTE_BUDGET_PROGRAM && data[0] === kind,
    ),
  );
  const number = (data: Uint8Array | undefined): bigint | undefined =>
    data?.slice(1).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  const units = number(limit?.data) ?? usual(message);
  return { units: units < UNITS_MAX ? units : UNITS_MAX, unitPrice: number(price?.data) ?? 0n };
};

/** Lamports that a transaction pays in fees, whether it succeeds or not. */
export const agaveFeeOf = (message: AgaveMessage): bigint => {
  const { units, unitPrice } = agaveBudgetOf(message);
  const priority = (units * unitPrice + MICRO - 1n) / MICRO;
  return SIGNATURE_LAMPORTS * BigInt(message.header.signers) + priority;
};
