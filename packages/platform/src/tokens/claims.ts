import { applicationIdSchema, organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import { z } from "zod";

/** The claim that client libraries read before their first request (wire interface, section B.2). */
export const METADATA_CLAIM = "https://custom/app_metadata";
export const USERNAME_CLAIM = "https://custom/username";

/** The caller that a token identifies. */
export const callerSchema = z.object({
  orgId: organisationIdSchema,
  userId: userIdSchema,
  tokenKind: z.enum(["Token", "Pat", "ServiceAccount", "Application"]),
  tokenId: tokenIdSchema.optional(),
  appId: applicationIdSchema.optional(),
});
export type Caller = Readonly<z.infer<typeof callerSchema>>;

export const ISSUER = "conclave";

/** The audience of a cluster's tokens. It contains the cluster's id, so that no other cluster accepts them. */
export const audienceOf = (clusterId: string): string => `conclave/${clusterId}`;
