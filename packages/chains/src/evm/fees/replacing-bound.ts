import { type FeeLevels, UNSIGNED_BYTES_MAX } from "@conclave/custody";
import { bytesToHex, parseTransaction } from "viem/utils";

/** Bytes by which a signed transaction may be longer: the signature, and longer list prefixes. */
const SIGNATURE_BYTES_MAX = 128;
/** Nodes demand 1.1 times the price of a replaced transaction; the market may rise in the meantime. */
const TIMES = 2n;
/** Twice a very low price may be too low for a replacement, so the bound is at least one gwei above it. Wei a gas. */
const ADDED_WEI = 1_000_000_000n;
const LARGEST_WEI = 2n ** 256n - 1n;

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The highest price of a replacement, wei a gas, by the price of the replaced transaction. */
export const highestReplacing = (price: bigint): bigint => {
  const doubled = TIMES * price;
  return larger(doubled, price + ADDED_WEI);
};

/** The market's `fast` price, wei a gas; zero when the market is unknown or another family's. */
const fastPrice = (market: FeeLevels | undefined): bigint =>
  market?.kind === "Eip1559" ? BigInt(market.fast.maxFeePerGas) : 0n;

/**
 * The highest fees of a speed-up or cancellation, wei: for the same gas twice the price of the replaced transaction, or the
 * market's `fast` price if that is higher, as nodes may demand more than twice a low first bid. The replaced fees are read from
 * the signed bytes in the replacement's row; wrong bytes can only raise the amount that policies count.
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
