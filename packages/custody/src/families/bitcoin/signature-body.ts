import { z } from "zod";
import { UNSIGNED_BYTES_MAX } from "../../chain-request/reading.ts";
import { exactHexadecimal, signatureFields } from "../../signature/signature-fields.ts";

/** A PSBT to sign and not to send (wire interface, section F.6). */
export const psbtSignatureBodySchema = z.strictObject({
  kind: z.literal("Psbt"),
  psbt: exactHexadecimal(UNSIGNED_BYTES_MAX),
  ...signatureFields,
});
