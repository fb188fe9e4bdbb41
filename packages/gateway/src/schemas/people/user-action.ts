import { MOST_CREDENTIALS } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { factorSchema } from "../../credential/assertion.ts";

/** limit on a body to sign for, the same as on a body that is sent */
const LONGEST_PAYLOAD = 1_048_576;
const LONGEST_PATH = 2_048;
const LONGEST_TOKEN = 4_096;
const FACTOR_KINDS = ["Fido2", "Key", "PasswordProtectedKey"] as const;

export const initBodySchema = z.strictObject({
  userActionPayload: z.string().max(LONGEST_PAYLOAD),
  userActionHttpMethod: z.enum(["POST", "PUT", "DELETE", "GET"]),
  userActionHttpPath: z
    .string()
    .max(LONGEST_PATH)
    .regex(/^\/[\x21-\x7e]*$/, "is not a path of a URL"),
  userActionServerKind: z.enum(["Api", "Staff"]).optional(),
});

const listedSchema = z.object({ type: z.enum(["public-key"]), id: z.string() });

/** The relying party that a browser receives with a challenge (Web Authentication Level 3, section 5.4.2). */
export const relyingPartySchema = z.object({
  id: z.string().openapi({ description: "Its domain", example: "localhost" }),
  name: z.string().openapi({ description: "What people are shown", example: "localhost" }),
});
export type RelyingPartyView = z.infer<typeof relyingPartySchema>;

export const challengeSchema = z
  .object({
    challenge: z.string(),
    challengeIdentifier: z.string(),
    rp: relyingPartySchema,
    supportedCredentialKinds: z
      .array(
        z.object({
          kind: z.enum(FACTOR_KINDS),
          factor: z.enum(["either"]),
          requiresSecondFactor: z.boolean(),
        }),
      )
      .max(FACTOR_KINDS.length),
    allowCredentials: z.object({
      key: z.array(listedSchema).max(MOST_CREDENTIALS),
      webauthn: z.array(listedSchema).max(MOST_CREDENTIALS),
      passwordProtectedKey: z
        .array(listedSchema.extend({ encryptedPrivateKey: z.string() }))
        .max(MOST_CREDENTIALS)
        .optional(),
    }),
    userVerification: z.enum(["required"]),
    attestation: z.enum(["none"]),
    externalAuthenticationUrl: z.string(),
  })
  .openapi("UserActionChallenge");
export type ChallengeView = z.infer<typeof challengeSchema>;

/** The body of POST /auth/action, and of POST /auth/login. */
export const actionBodySchema = z.strictObject({
  challengeIdentifier: z.string().max(LONGEST_TOKEN),
  firstFactor: factorSchema,
  secondFactor: factorSchema.optional(),
});

export const actionSchema = z.object({ userAction: z.string() }).openapi("UserAction");
