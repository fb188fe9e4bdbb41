import { REGISTRABLE_KINDS } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const auditLogSchema = z
  .object({
    id: z.string(),
    action: z.string().openapi({ description: "Method and path" }),
    actionToken: z.string().openapi({ description: "The token of the action: used up" }),
    userId: z.string(),
    username: z.string(),
    tokenId: z.string().optional(),
    datePerformed: z.string(),
    payloadDigest: z.string().openapi({
      description: "Hex SHA-256 of the body as JSON without spaces, members sorted by name",
    }),
    firstFactorCredential: z.object({
      id: z.string(),
      kind: z.enum(REGISTRABLE_KINDS),
      publicKey: z.string(),
      assertion: z.object({
        authenticatorData: z.string().nullable(),
        clientData: z.string(),
        signature: z.string(),
      }),
    }),
    secondFactorCredential: z.object({ id: z.string() }).optional(),
  })
  .openapi("AuditLog");

export const auditLogListSchema = z.object({
  items: z.array(auditLogSchema).readonly(),
  nextPageToken: z.string().optional(),
});
