import {
  accessTokenViewSchema,
  applicationIdSchema,
  applicationViewSchema,
  MOST_APPLICATIONS,
  MOST_PERSONAL_TOKENS,
  MOST_SERVICE_ACCOUNTS,
  tokenIdSchema,
  userIdSchema,
  userViewSchema,
} from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const userParams = z.object({ userId: userIdSchema });
export const serviceAccountParams = z.object({ serviceAccountId: userIdSchema });
export const tokenParams = z.object({ tokenId: tokenIdSchema });
export const applicationParams = z.object({ appId: applicationIdSchema });

export const userSchema = z.object(userViewSchema.shape).openapi("User");

export const createdUserSchema = userSchema.extend({
  registrationCode: z.string().openapi({
    description:
      "Shown once: hand it to the user, who registers a first credential with it within seven days (POST /auth/registration/init)",
  }),
});

export const userListSchema = z.object({
  items: z.array(userSchema).readonly(),
  nextPageToken: z.string().optional(),
});

export const accessTokenSchema = z.object(accessTokenViewSchema.shape).openapi("AccessToken");

export const accessTokenListSchema = z.object({
  items: z.array(accessTokenSchema).max(MOST_PERSONAL_TOKENS).readonly(),
});

export const serviceAccountSchema = z
  .object({ userInfo: userSchema, accessTokens: z.array(accessTokenSchema).max(1).readonly() })
  .openapi("ServiceAccount");
export type ServiceAccountView = z.infer<typeof serviceAccountSchema>;

export const serviceAccountListSchema = z.object({
  items: z.array(serviceAccountSchema).max(MOST_SERVICE_ACCOUNTS).readonly(),
});

export const applicationSchema = z
  .object({
    ...applicationViewSchema.shape,
    accessTokens: z.array(accessTokenSchema).max(1).readonly(),
  })
  .openapi("Application");

export const applicationListSchema = z.object({
  items: z.array(applicationSchema).max(MOST_APPLICATIONS).readonly(),
});
