import { UNSIGNED_BYTES_MAX } from "@conclave/custody";
import { bytesToHex, parseTransaction } from "viem/utils";

/** A signature and the longer heads of lists around it, in bytes. */
const SIGNATURE_BYTES_MAX = 128;
/** Nodes ask for 1.1 times the price, and the market moves meanwhile. */
const TIMES = 2n;
/** Twice nothing is too little to replace it: one gwei may be added in any case. Wei a gas. */
const ADDED_WEI = 1_000_000_000n;
const LARGEST_WEI = 2n ** 256n - 1n;

/** The highest price of a replacement, wei a gas, from that of what it replaces. */
export const highestReplacing = (price: bigint): bigint => {
  const doubled = TIMES * price;
  const raised = price + ADDED_WEI;
  return doubled > raised ? doubled : raised;
};

/**
 * The most that a speed-up or cancellation may cost in fees, wei: twice what the transaction may cost whose place it takes.
 * It is read from the signed bytes that the replacement's row holds. Whoever wrote them can only raise what policies count.
 * @returns undefined for bytes that are no transaction
 */
export const mostOfReplacing = (signed: Uint8Array): bigint | undefined => {
  if (signed.length > UNSIGNED_BYTES_MAX + SIGNATURE_BYTES_MAX) return undefined;
  const { gas = 0n, price = 0n } = feesOfSigned(signed) ?? {};
  if (gas === 0n || gas > LARGEST_WEI || price > LARGEST_WEI) return undefined;
  const most = gas * highestReplacing(price);
  return most > LARGEST_WEI ? undefined : most;
};

interface SignedFees {
  readonly gas: bigint | undefined;
  readonly price: bigint | undefined;
}

const feesOfSigned = (signed: Uint8Array): SignedFees | undefined => {
  try {
    const { gas, maxFeePerGas, gasPrice } = parseTransaction(bytesToHex(signed));
    return { gas, price: maxFeePerGas ?? gasPrice };
  } catch {
    return undefined;
  }
};
