import type { SolanaDraft } from "./transaction.ts";

/** Lamports per signature. */
const SIGNATURE_FEE = 5_000n;
const MICRO = 1_000_000n;
/** Compute-unit limits of a transaction, and of each instruction if no limit is set (Solana Documentation, "Fees"). */
export const SOLANA_UNITS_MAX = 1_400_000;
const UNITS_AN_INSTRUCTION = 200_000;

const priorityFee = (units: bigint, price: bigint): bigint => (units * price + MICRO - 1n) / MICRO;

/**
 * The highest fee of a transaction, in lamports: one signature, and the price for all compute units that it may use, used or
 * not.
 */
export const solanaFee = ({ instructions }: Pick<SolanaDraft, "instructions">): bigint => {
  let price = 0n;
  let units = Math.min(UNITS_AN_INSTRUCTION * instructions.length, SOLANA_UNITS_MAX);
  for (const instruction of instructions) {
    if (instruction.kind === "computePrice") price = instruction.price;
    if (instruction.kind === "computeLimit") units = Math.min(instruction.units, SOLANA_UNITS_MAX);
  }
  return SIGNATURE_FEE + priorityFee(BigInt(units), price);
};

/**
 * The price, bounded so that the fee stays within the network's cap.
 * @param feeCap lamports, as digits
 */
export const cappedPrice = (price: bigint, units: number, feeCap: string): bigint => {
  const left = BigInt(feeCap) - SIGNATURE_FEE;
  const most = left < 0n ? 0n : (left * MICRO) / BigInt(units);
  return price < most ? price : most;
};
