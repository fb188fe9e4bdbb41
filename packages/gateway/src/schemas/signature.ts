import {
  keyIdSchema,
  SIGNATURE_STATUSES,
  signatureBodySchema,
  signatureIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const walletSignatureParams = z.object({ walletId: walletIdSchema, signatureId: signatureIdSchema });
export const keySignatureParams = z.object({ keyId: keyIdSchema, signatureId: signatureIdSchema });
export const signingKeyParams = z.object({ keyId: keyIdSchema });

const valueSchema = z.object({
  r: z.string(),
  s: z.string(),
  recid: z.int().optional(),
  encoded: z.string().openapi({ description: "r and s, and on EVM chains v (1b or 1c), in one" }),
});

/** The Signature of wire interface section G. */
export const signatureSchema = z
  .object({
    id: z.string(),
    keyId: z.string(),
    walletId: z.string().optional(),
    network: z.string().optional(),
    requester: z.object({
      userId: z.string(),
      tokenId: z.string().optional(),
      appId: z.string().optional(),
    }),
    requestBody: signatureBodySchema,
    status: z.enum(SIGNATURE_STATUSES),
    reason: z.string().optional(),
    signature: valueSchema.optional(),
    signatures: z.array(valueSchema).max(1).readonly().optional(),
    signedData: z.string().optional().openapi({ description: "Of a transaction: the whole of it, signed" }),
    externalId: z.string().optional(),
    approvalId: z.string().optional(),
    dateRequested: z.string(),
    datePolicyResolved: z.string().optional(),
    dateSigned: z.string().optional(),
  })
  .openapi("Signature");

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
