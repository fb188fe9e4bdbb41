import { z } from "@hono/zod-openapi";
import { registrationChallengeSchema, sessionSchema } from "./credential.ts";

const page = z.string().openapi({ description: "Valid for five minutes" });

export const providerPageSchema = z.object({ redirectUrl: page }).openapi("IdentityProviderPage");
export const ssoPageSchema = z.object({ ssoRedirectUrl: page }).openapi("SsoPage");

export const providerLoginSchema = sessionSchema
  .extend({
    credentialChallenge: z
      .object({ ...registrationChallengeSchema.shape, challengeIdentifier: z.string() })
      .optional()
      .openapi({
        description:
          "For an employee who has registered no credential yet: POST /auth/login/oidc/credentials",
      }),
  })
  .openapi("IdentityProviderLogin");
