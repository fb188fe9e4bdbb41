import { JsonDecimal } from "../../json.ts";
import { inBitcoin } from "../fee-rate.ts";

/** Satoshis, or a fee rate, as nodes answer: bitcoins with eight places. */
export const bitcoinJson = (amount: bigint): JsonDecimal => new JsonDecimal(inBitcoin(amount));
