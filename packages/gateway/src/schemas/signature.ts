import { keyIdSchema, signatureIdSchema, signatureViewSchema, walletIdSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const walletSignatureParams = z.object({ walletId: walletIdSchema, signatureId: signatureIdSchema });
export const keySignatureParams = z.object({ keyId: keyIdSchema, signatureId: signatureIdSchema });
export const signingKeyParams = z.object({ keyId: keyIdSchema });

/** The Signature of wire interface section G. */
export const signatureSchema = z.object(signatureViewSchema.shape).openapi("Signature");

const page = {
  items: z.array(signatureSchema).readonly(),
  nextPageToken: z.string().optional(),
};
export const walletSignatureListSchema = z.object({
  walletId: z.string(),
  keyId: z.string().openapi({ description: "The key that the wallet signs with" }),
  ...page,
});
export const keySignatureListSchema = z.object({ keyId: z.string(), ...page });
