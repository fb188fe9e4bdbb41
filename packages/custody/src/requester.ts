import { z } from "zod";
import { applicationIdSchema, tokenIdSchema, userIdSchema } from "./identifiers.ts";

/** The requester (service interface, Transfer.requester): unknown ids are absent. */
export const requesterSchema = z.strictObject({
  userId: userIdSchema,
  tokenId: tokenIdSchema.optional(),
  appId: applicationIdSchema.optional(),
});
export type Requester = z.infer<typeof requesterSchema>;

/** The requester as views show it. */
export const requesterViewSchema = z.object({
  userId: z.string(),
  tokenId: z.string().optional(),
  appId: z.string().optional(),
});
