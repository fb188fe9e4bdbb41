import {
  applicationIdSchema,
  MOST_APPLICATIONS,
  MOST_ASSIGNMENTS,
  MOST_PERSONAL_TOKENS,
  MOST_SERVICE_ACCOUNTS,
  OPERATIONS,
  operationSchema,
  tokenIdSchema,
  userIdSchema,
} from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const userParams = z.object({ userId: userIdSchema });
export const serviceAccountParams = z.object({ serviceAccountId: userIdSchema });
export const tokenParams = z.object({ tokenId: tokenIdSchema });
export const applicationParams = z.object({ appId: applicationIdSchema });

/** A permission that somebody has, as their views show it. */
const assignedPermissionSchema = z.object({
  permissionName: z.string(),
  permissionId: z.string(),
  assignmentId: z.string(),
  operations: z.array(operationSchema).max(OPERATIONS.length).readonly(),
});

export const userSchema = z
  .object({
    username: z.string(),
    name: z.string(),
    userId: z.string(),
    kind: z.enum(["CustomerEmployee", "EndUser"]),
    credentialUuid: z.string().openapi({ description: "Of the first active credential; empty without one" }),
    orgId: z.string(),
    isActive: z.boolean(),
    isServiceAccount: z.boolean(),
    isRegistered: z.boolean(),
    isSSORequired: z.literal(false),
    permissionAssignments: z.array(assignedPermissionSchema).max(MOST_ASSIGNMENTS).readonly(),
  })
  .openapi("User");

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

export const accessTokenSchema = z
  .object({
    accessToken: z.string().optional().openapi({ description: "Only in the answer that makes the token" }),
    dateCreated: z.string(),
    credId: z.string().openapi({ description: "The credential that signs actions under the token" }),
    isActive: z.boolean(),
    kind: z.enum(["Pat", "ServiceAccount", "Application", "Token"]),
    linkedUserId: z.string(),
    linkedAppId: z.string(),
    name: z.string(),
    orgId: z.string(),
    permissionAssignments: z.array(assignedPermissionSchema).max(MOST_ASSIGNMENTS).readonly(),
    publicKey: z.string().openapi({ description: "Its fingerprint: SHA256:<base64>" }),
    tokenId: z.string(),
  })
  .openapi("AccessToken");

export const accessTokenListSchema = z.object({
  items: z.array(accessTokenSchema).max(MOST_PERSONAL_TOKENS).readonly(),
});

export const serviceAccountSchema = z
  .object({ userInfo: userSchema, accessTokens: z.array(accessTokenSchema).max(1).readonly() })
  .openapi("ServiceAccount");

export const serviceAccountListSchema = z.object({
  items: z.array(serviceAccountSchema).max(MOST_SERVICE_ACCOUNTS).readonly(),
});

export const applicationSchema = z
  .object({
    appId: z.string(),
    kind: z.enum(["ServerSideApplication", "ClientSideApplication"]),
    orgId: z.string(),
    expectedRpId: z.string(),
    expectedOrigin: z.string(),
    name: z.string(),
    isActive: z.boolean(),
    permissionAssignments: z.array(assignedPermissionSchema).max(MOST_ASSIGNMENTS).readonly(),
    accessTokens: z.array(accessTokenSchema).max(1).readonly(),
  })
  .openapi("Application");

export const applicationListSchema = z.object({
  items: z.array(applicationSchema).max(MOST_APPLICATIONS).readonly(),
});
