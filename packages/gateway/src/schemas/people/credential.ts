import {
  credentialUuidSchema,
  credentialViewSchema,
  MOST_CREDENTIALS,
  MOST_SERVICE_ACCOUNT_CREDENTIALS,
  MOST_WALLETS_OF_NEW,
  REGISTRABLE_KINDS,
} from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { AUTHENTICATOR_ALGORITHMS } from "../../credential/attestation.ts";
import { walletSchema } from "../wallet.ts";
import { relyingPartySchema } from "./user-action.ts";

export const credentialSchema = z.object(credentialViewSchema.shape).openapi("Credential");

export const credentialListSchema = z.object({
  items: z
    .array(credentialSchema)
    .max(MOST_CREDENTIALS + MOST_SERVICE_ACCOUNT_CREDENTIALS)
    .readonly(),
});

export const credentialParams = z.object({ credentialUuid: credentialUuidSchema });

const registrationSchema = z.object({
  user: z.object({ id: z.string(), displayName: z.string(), name: z.string() }),
  temporaryAuthenticationToken: z.string(),
  challenge: z.string(),
  rp: relyingPartySchema,
  authenticatorSelection: z.object({
    residentKey: z.enum(["preferred"]),
    requireResidentKey: z.boolean(),
    userVerification: z.enum(["required"]),
  }),
  attestation: z.enum(["none"]),
  pubKeyCredParams: z
    .array(z.object({ type: z.enum(["public-key"]), alg: z.int() }))
    .max(AUTHENTICATOR_ALGORITHMS.length),
  excludeCredentials: z
    .array(z.object({ type: z.enum(["public-key"]), id: z.string() }))
    .max(MOST_CREDENTIALS),
});
export type RegistrationView = z.infer<typeof registrationSchema>;

export const credentialChallengeSchema = z
  .object({ ...registrationSchema.shape, kind: z.enum(REGISTRABLE_KINDS), challengeIdentifier: z.string() })
  .openapi("CredentialChallenge");

export const credentialCodeSchema = z
  .object({
    code: z.string().openapi({ description: "Shown once: the other device sends it, which uses it up" }),
    expiration: z.string(),
  })
  .openapi("CredentialCode");

const FACTORS = ["Fido2", "Key", "PasswordProtectedKey"] as const;
const factors = z.array(z.enum(FACTORS)).max(FACTORS.length);

export const registrationChallengeSchema = z
  .object({
    ...registrationSchema.shape,
    supportedCredentialKinds: z.object({ firstFactor: factors, secondFactor: factors }),
    otpUrl: z.string(),
  })
  .openapi("RegistrationChallenge");
export type FirstRegistrationView = z.infer<typeof registrationChallengeSchema>;

export const registeredSchema = z
  .object({
    credential: z.object({ uuid: z.string(), kind: z.enum(REGISTRABLE_KINDS), name: z.string() }),
    user: z.object({ id: z.string(), username: z.string(), orgId: z.string() }),
  })
  .openapi("Registered");

/** An end user who was registered with wallets, and logged in. */
export const registeredEndUserSchema = registeredSchema
  .extend({
    authentication: z.object({
      token: z.string().openapi({ description: "A session's, good for six hours" }),
    }),
    wallets: z.array(walletSchema).max(MOST_WALLETS_OF_NEW),
  })
  .openapi("RegisteredEndUser");

export const messageSchema = z.object({ message: z.string() }).openapi("Message");

export const sessionSchema = z.object({ token: z.string() }).openapi("Session");
