import { type FeeLevels, UNSIGNED_BYTES_MAX } from "@conclave/custody";
import { bytesToHex, parseTransaction } from "viem/utils";

/** A signature and the longer heads of lists around it, in bytes. */
const SIGNATURE_BYTES_MAX = 128;
/** Nodes ask for 1.1 times the price, and the market moves meanwhile. */
const TIMES = 2n;
/** Twice nothing is too little to replace it: one gwei may be added in any case. Wei a gas. */
const ADDED_WEI = 1_000_000_000n;
const LARGEST_WEI = 2n ** 256n - 1n;

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The highest price of a replacement, wei a gas, from that of what it replaces. */
export const highestReplacing = (price: bigint): bigint => {
  const doubled = TIMES * price;
  return larger(doubled, price + ADDED_WEI);
};

/** The price of those in haste, wei a gas; zero where the market is unknown, or another family's. */
const fastPrice = (market: FeeLevels | undefined): bigint =>
  market?.kind === "Eip1559" ? BigInt(market.fast.maxFeePerGas) : 0n;

/**
 * The most that a speed-up or cancellation may cost in fees, wei: twice what the transaction may cost whose place it takes, or
 * the market's `fast` price for the same gas where that is more. A node may ask for more than twice of what was bid first.
 * It is read from the signed bytes that the replacement's row holds. False bytes can only raise what policies count.
 * @param market the fees when the replacement is requested
 * @returns undefined for bytes that are no transaction
 */
export const mostOfReplacing = (signed: Uint8Array, market?: FeeLevels): bigint | undefined => {
  if (signed.length > UNSIGNED_BYTES_MAX + SIGNATURE_BYTES_MAX) return undefined;
  const { gas = 0n, price = 0n } = feesOfSigned(signed) ?? {};
  if (gas === 0n || gas > LARGEST_WEI || price > LARGEST_WEI) return undefined;
  const most = gas * larger(highestReplacing(price), fastPrice(market));
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
