import type { TransactionDetails } from "@conclave/custody";
import { shownRate } from "./coins/fees.ts";

const RATE_VBYTES = 1_000n;

/** The details of a transaction in a request's view. @param fee satoshis @param inputs number of coins that it spends */
export const bitcoinDetails = (fee: bigint, vbytes: bigint, inputs: number): TransactionDetails => ({
  fee: fee.toString(),
  feeRate: shownRate((fee * RATE_VBYTES) / vbytes),
  virtualSize: Number(vbytes),
  inputs,
});
