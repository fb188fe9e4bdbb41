import { z } from "zod";
import { OPERATIONS, operationSchema } from "../permissions/operations.ts";
import { REGISTRABLE_KINDS } from "./credential-body.ts";
import { MOST_ASSIGNMENTS } from "./room.ts";

/** The permissions of an identity, as views show them (service interface, PermissionAssignment). */
const permissionAssignments = z
  .array(
    z.object({
      permissionName: z.string(),
      permissionId: z.string(),
      assignmentId: z.string(),
      operations: z.array(operationSchema).max(OPERATIONS.length).readonly(),
    }),
  )
  .max(MOST_ASSIGNMENTS)
  .readonly();
type AssignedPermissions = z.infer<typeof permissionAssignments>;

/**
 * A user as the API shows it: with the fields that older and newer client libraries read (wire interface,
 * section G).
 */
export const userViewSchema = z.object({
  username: z.string(),
  name: z.string(),
  userId: z.string(),
  kind: z.enum(["CustomerEmployee", "EndUser"]),
  credentialUuid: z.string().describe("Of the first active credential; empty without one"),
  orgId: z.string(),
  isActive: z.boolean(),
  isServiceAccount: z.boolean(),
  isRegistered: z.boolean(),
  isSSORequired: z.literal(false),
  permissionAssignments,
});
export type UserView = z.infer<typeof userViewSchema>;

type ShownUser = Omit<UserView, "userId" | "credentialUuid" | "isSSORequired" | "permissionAssignments"> & {
  readonly id: string;
};

export const userView = (
  user: ShownUser,
  credentialUuid: string | undefined,
  permissionAssignments: AssignedPermissions,
): UserView => ({
  username: user.username,
  name: user.name,
  userId: user.id,
  kind: user.kind,
  credentialUuid: credentialUuid ?? "",
  orgId: user.orgId,
  isActive: user.isActive,
  isServiceAccount: user.isServiceAccount,
  isRegistered: user.isRegistered,
  isSSORequired: false,
  permissionAssignments,
});

/** A token as the API shows it (service interface, AccessToken). */
export const accessTokenViewSchema = z.object({
  accessToken: z.string().optional().describe("Only in the answer that makes the token"),
  dateCreated: z.string(),
  credId: z.string().describe("The credential that signs actions under the token"),
  isActive: z.boolean(),
  kind: z.enum(["Pat", "ServiceAccount", "Application", "Token"]),
  linkedUserId: z.string(),
  linkedAppId: z.string(),
  name: z.string(),
  orgId: z.string(),
  permissionAssignments,
  publicKey: z.string().describe("Its fingerprint: SHA256:<base64>"),
  tokenId: z.string(),
});
export type AccessTokenView = z.infer<typeof accessTokenViewSchema>;

type ShownToken = Omit<
  AccessTokenView,
  "accessToken" | "linkedUserId" | "linkedAppId" | "permissionAssignments" | "tokenId"
> & { readonly id: string; readonly userId: string; readonly appId: string | undefined };

export const accessTokenView = (
  token: ShownToken,
  permissionAssignments: AssignedPermissions,
): AccessTokenView => ({
  dateCreated: token.dateCreated,
  credId: token.credId,
  isActive: token.isActive,
  kind: token.kind,
  // the token of an application shows the application, not a user
  linkedUserId: token.appId === undefined ? token.userId : "",
  linkedAppId: token.appId ?? "",
  name: token.name,
  orgId: token.orgId,
  permissionAssignments,
  publicKey: token.publicKey,
  tokenId: token.id,
});

/** An application as the API shows it (service interface, Application). */
export const applicationViewSchema = z.object({
  appId: z.string(),
  kind: z.enum(["ServerSideApplication", "ClientSideApplication"]),
  orgId: z.string(),
  expectedRpId: z.string(),
  expectedOrigin: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  permissionAssignments,
  accessTokens: z.array(accessTokenViewSchema).max(1).readonly(),
});
export type ApplicationView = z.infer<typeof applicationViewSchema>;

type ShownApplication = Omit<ApplicationView, "appId" | "permissionAssignments" | "accessTokens"> & {
  readonly id: string;
};

export const applicationView = (
  application: ShownApplication,
  permissionAssignments: AssignedPermissions,
  accessTokens: readonly AccessTokenView[],
): ApplicationView => ({
  appId: application.id,
  kind: application.kind,
  orgId: application.orgId,
  expectedRpId: application.expectedRpId,
  expectedOrigin: application.expectedOrigin,
  name: application.name,
  isActive: application.isActive,
  permissionAssignments,
  accessTokens,
});

/** A credential as the API shows it. */
export const credentialViewSchema = z.object({
  kind: z.enum(REGISTRABLE_KINDS),
  credentialId: z.string(),
  credentialUuid: z.string(),
  dateCreated: z.string(),
  isActive: z.boolean(),
  name: z.string(),
  publicKey: z.string(),
  relyingPartyId: z.string(),
  origin: z.string(),
});
type CredentialView = z.infer<typeof credentialViewSchema>;

type ShownCredential = Omit<CredentialView, "credentialId" | "credentialUuid"> & {
  readonly id: string;
  readonly uuid: string;
};

export const credentialView = (credential: ShownCredential): CredentialView => ({
  kind: credential.kind,
  credentialId: credential.id,
  credentialUuid: credential.uuid,
  dateCreated: credential.dateCreated,
  isActive: credential.isActive,
  name: credential.name,
  publicKey: credential.publicKey,
  relyingPartyId: credential.relyingPartyId,
  origin: credential.origin,
});
