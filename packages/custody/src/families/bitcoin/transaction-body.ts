import { z } from "zod";
import { hexadecimal } from "../../chain-request/hexadecimal.ts";
import { UNSIGNED_BYTES_MAX } from "../../chain-request/reading.ts";
import { requestExternalId } from "../../chain-request/transfer-fields.ts";

/** A transaction of a caller's making on a network of Bitcoin, as a PSBT (wire interface, section F.5). */
export const psbtBodySchema = z.strictObject({
  kind: z.literal("Psbt"),
  psbt: hexadecimal(UNSIGNED_BYTES_MAX),
  externalId: requestExternalId,
});
