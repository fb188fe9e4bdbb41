import { z } from "zod";
import { hexadecimal } from "../../chain-request/hexadecimal.ts";
import { requestExternalId } from "../../chain-request/transfer-fields.ts";
import { FEE_RATE, PSBT_BYTES_MAX } from "./parameters.ts";

/** A transaction of a caller's making on a network of Bitcoin, as a PSBT (wire interface, section F.5). */
export const psbtBodySchema = z.strictObject({
  kind: z.literal("Psbt"),
  psbt: hexadecimal(PSBT_BYTES_MAX),
  externalId: requestExternalId,
});

/** Gathers coins of a wallet into one, which comes back to it. */
export const consolidateBodySchema = z.strictObject({
  kind: z.literal("Consolidate"),
  /** satoshis: the most that it may cost; without it the network's cap */
  maxFee: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/, "is not a number of satoshis, as digits")
    .optional(),
  /** satoshis a virtual byte: the most that it may pay, and it takes no coin that holds less than that costs; without it, what the market asks */
  maxFeeRate: z
    .string()
    .regex(FEE_RATE, "is not a whole number of satoshis a virtual byte, as digits")
    .optional(),
  externalId: requestExternalId,
});
