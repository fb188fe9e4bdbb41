import { z } from "zod";
import { MESSAGE_BYTES_MAX } from "../authorisation/message.ts";
import { UNSIGNED_BYTES_MAX } from "../chain-request/reading.ts";
import { psbtSignatureBodySchema } from "../families/bitcoin/signature-body.ts";
import { eip191BodySchema, eip712BodySchema, eip7702BodySchema } from "../families/evm/signature-body.ts";
import { exactHexadecimal, signatureFields } from "./signature-fields.ts";

/** The body of POST /wallets/{walletId}/signatures and of POST /keys/{keyId}/signatures (wire interface, F.6). */
export const signatureBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Hash"),
    hash: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, "is not 32 bytes of hexadecimal"),
    taprootMerkleRoot: z
      .string()
      .regex(/^((0x)?[0-9a-fA-F]{64})?$/)
      .optional(),
    ...signatureFields,
  }),
  z.strictObject({
    kind: z.literal("Message"),
    message: exactHexadecimal(MESSAGE_BYTES_MAX),
    ...signatureFields,
  }),
  eip191BodySchema,
  eip712BodySchema,
  eip7702BodySchema,
  z.strictObject({
    kind: z.literal("Transaction"),
    transaction: exactHexadecimal(UNSIGNED_BYTES_MAX),
    ...signatureFields,
  }),
  psbtSignatureBodySchema,
]);
export type SignatureBody = z.infer<typeof signatureBodySchema>;
