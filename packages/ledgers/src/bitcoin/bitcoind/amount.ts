import { JsonDecimal } from "../../json.ts";
import { inBitcoin } from "../fee-rate.ts";

/** Satoshis, or a fee rate, in a node's JSON: bitcoins with eight decimals. */
export const bitcoinJson = (amount: bigint): JsonDecimal => new JsonDecimal(inBitcoin(amount));
