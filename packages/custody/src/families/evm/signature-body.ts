import { z } from "zod";
import { MESSAGE_BYTES_MAX } from "../../authorisation/message.ts";
import { exactHexadecimal, signatureFields } from "../../signature/signature-fields.ts";
import { typedDataFields } from "./typed-data.ts";

/** What keys sign for EVM networks alone (wire interface, section F.6). */
export const eip191BodySchema = z.strictObject({
  kind: z.literal("Eip191"),
  message: exactHexadecimal(MESSAGE_BYTES_MAX),
  ...signatureFields,
});
export const eip712BodySchema = z.strictObject({
  kind: z.literal("Eip712"),
  ...typedDataFields,
  ...signatureFields,
});
export type Eip712Body = z.infer<typeof eip712BodySchema>;
