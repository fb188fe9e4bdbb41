import { MOST_CREDENTIALS, registerBodySchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { algorithmSchema } from "../../credential/signature.ts";
import { registrationChallengeSchema } from "./credential.ts";

const LONGEST_CREDENTIAL_ID = 1_024;
/** it contains all new credentials, each with its attestation */
const LONGEST_CLIENT_DATA = 524_288;
const LONGEST_SIGNATURE = 8_192;

const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+={0,2}$/, "is not base64url");

/** The body of POST /auth/recover/user: the new credentials, and the recovery key's signature over them. */
export const recoverBodySchema = z.strictObject({
  recovery: z.strictObject({
    kind: z.literal("RecoveryKey"),
    credentialAssertion: z.strictObject({
      credId: z.string().max(LONGEST_CREDENTIAL_ID).openapi({ description: "That of the challenge" }),
      clientData: base64url(LONGEST_CLIENT_DATA).openapi({
        description:
          "Base64url of the JSON {type: key.get, challenge}, whose challenge is base64url of the JSON of newCredentials",
      }),
      signature: base64url(LONGEST_SIGNATURE).openapi({ description: "Over clientData, in base64url" }),
      algorithm: algorithmSchema.optional(),
    }),
  }),
  newCredentials: registerBodySchema,
});
export type RecoverBody = z.infer<typeof recoverBodySchema>;

export const recoveryChallengeSchema = registrationChallengeSchema
  .extend({
    allowedRecoveryCredentials: z
      .array(
        z.object({
          id: z.string(),
          encryptedRecoveryKey: z
            .string()
            .openapi({ description: "As the client encrypted it when it was registered; empty without one" }),
        }),
      )
      .max(MOST_CREDENTIALS),
  })
  .openapi("RecoveryChallenge");

export const recoveryCodeSchema = z
  .object({
    recoveryCode: z.string().openapi({
      description: "Shown once: hand it to the user, who sends it as verificationCode within an hour",
    }),
    dateExpires: z.string(),
  })
  .openapi("RecoveryCode");
