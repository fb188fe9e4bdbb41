import type { SolanaDraft } from "./transaction.ts";

/** Lamports that a signature costs. */
const SIGNATURE_FEE = 5_000n;
const MICRO = 1_000_000n;
/**
 * The most that a transaction computes, and each of its instructions where no limit is set (Solana
 * Documentation, "Fees").
 */
export const SOLANA_UNITS_MAX = 1_400_000;
const UNITS_AN_INSTRUCTION = 200_000;

const priorityFee = (units: bigint, price: bigint): bigint => (units * price + MICRO - 1n) / MICRO;

/**
 * The most that a transaction can cost in fees, in lamports: its one signature, and its price for all that it may compute, used
 * or not.
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
 * A price that keeps the fee below the network's cap: above it, the cap is bid.
 * @param feeCap lamports, as digits
 */
export const cappedPrice = (price: bigint, units: number, feeCap: string): bigint => {
  const left = BigInt(feeCap) - SIGNATURE_FEE;
  const most = left < 0n ? 0n : (left * MICRO) / BigInt(units);
  return price < most ? price : most;
};
