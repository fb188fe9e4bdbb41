import { z } from "zod";
import { exactHexadecimal, signatureFields } from "../../signature/signature-fields.ts";
import { PSBT_BYTES_MAX } from "./parameters.ts";

/** A PSBT to sign and not to send (wire interface, section F.6). */
export const psbtSignatureBodySchema = z.strictObject({
  kind: z.literal("Psbt"),
  psbt: exactHexadecimal(PSBT_BYTES_MAX),
  ...signatureFields,
});
