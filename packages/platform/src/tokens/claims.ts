import { applicationIdSchema, organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import { z } from "zod";

/** The claim that client libraries read before they send anything (wire interface, section B.2). */
export const METADATA_CLAIM = "https://custom/app_metadata";
export const USERNAME_CLAIM = "https://custom/username";

/** Who a token speaks for. */
export const callerSchema = z.object({
  orgId: organisationIdSchema,
  userId: userIdSchema,
  tokenKind: z.enum(["Token", "Pat", "ServiceAccount", "Application"]),
  tokenId: tokenIdSchema.optional(),
  appId: applicationIdSchema.optional(),
});
export type Caller = Readonly<z.infer<typeof callerSchema>>;

export const ISSUER = "conclave";

/** Tokens of one cluster say nothing to another: its id is the audience. */
export const audienceOf = (clusterId: string): string => `conclave/${clusterId}`;
