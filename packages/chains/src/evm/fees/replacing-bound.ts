import { UNSIGNED_BYTES_MAX } from "@conclave/custody";
import { bytesToHex, parseTransaction } from "viem/utils";

/** A signature and the longer heads of lists around it, in bytes. */
const SIGNATURE_BYTES_MAX = 128;
/** What replaces a transaction may cost so many times what that one may cost. Nodes ask for 1.1 times, and the market moves. */
const TIMES = 2n;
const LARGEST_WEI = 2n ** 256n - 1n;

/**
 * The most that a speed-up or cancellation may cost in fees, wei: twice what the transaction may cost whose place it takes.
 * It is read from the signed bytes that the replacement's row holds. Whoever wrote them can only raise what is counted.
 * @returns undefined for bytes that are no signed transaction of type 0, 1 or 2
 */
export const mostOfReplacing = (signed: Uint8Array): bigint | undefined => {
  if (signed.length > UNSIGNED_BYTES_MAX + SIGNATURE_BYTES_MAX) return undefined;
  const { gas, price } = feesOfSigned(signed);
  if (gas === undefined || price === undefined || gas > LARGEST_WEI || price > LARGEST_WEI) return undefined;
  const most = TIMES * gas * price;
  return most > LARGEST_WEI ? undefined : most;
};

const feesOfSigned = (
  signed: Uint8Array,
): { readonly gas?: bigint | undefined; readonly price?: bigint | undefined } => {
  try {
    const { gas, maxFeePerGas, gasPrice } = parseTransaction(bytesToHex(signed));
    return { gas, price: maxFeePerGas ?? gasPrice };
  } catch {
    return {};
  }
};
