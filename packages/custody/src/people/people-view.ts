import type { Operation } from "../permissions/operations.ts";

/** A permission that somebody has, as views show it (service interface, PermissionAssignment). */
export interface AssignedPermissionView {
  readonly permissionName: string;
  readonly permissionId: string;
  readonly assignmentId: string;
  readonly operations: readonly Operation[];
}

interface ShownUser {
  readonly id: string;
  readonly orgId: string;
  readonly username: string;
  readonly name: string;
  readonly kind: "CustomerEmployee" | "EndUser";
  readonly isActive: boolean;
  readonly isServiceAccount: boolean;
  readonly isRegistered: boolean;
}

/**
 * A user as the API shows it: the shape that both generations of client libraries read (wire interface,
 * section G).
 */
export interface UserView extends Omit<ShownUser, "id"> {
  readonly userId: string;
  /** of the first active credential; empty without one */
  readonly credentialUuid: string;
  readonly isSSORequired: false;
  readonly permissionAssignments: readonly AssignedPermissionView[];
}

export const userView = (
  user: ShownUser,
  credentialUuid: string | undefined,
  permissionAssignments: readonly AssignedPermissionView[],
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

interface ShownToken {
  readonly id: string;
  readonly orgId: string;
  readonly kind: "Pat" | "ServiceAccount" | "Application" | "Token";
  readonly name: string;
  readonly userId: string;
  readonly appId: string | undefined;
  readonly credId: string;
  readonly publicKey: string;
  readonly isActive: boolean;
  readonly dateCreated: string;
}

/** A token as the API shows it (service interface, AccessToken). */
export interface AccessTokenView {
  /** the text: only in the answer that makes the token */
  readonly accessToken?: string;
  readonly dateCreated: string;
  readonly credId: string;
  readonly isActive: boolean;
  readonly kind: ShownToken["kind"];
  readonly linkedUserId: string;
  readonly linkedAppId: string;
  readonly name: string;
  readonly orgId: string;
  readonly permissionAssignments: readonly AssignedPermissionView[];
  readonly publicKey: string;
  readonly tokenId: string;
}

export const accessTokenView = (
  token: ShownToken,
  permissionAssignments: readonly AssignedPermissionView[],
): AccessTokenView => ({
  dateCreated: token.dateCreated,
  credId: token.credId,
  isActive: token.isActive,
  kind: token.kind,
  // an application's token is linked to the application alone
  linkedUserId: token.appId === undefined ? token.userId : "",
  linkedAppId: token.appId ?? "",
  name: token.name,
  orgId: token.orgId,
  permissionAssignments,
  publicKey: token.publicKey,
  tokenId: token.id,
});

interface ShownApplication {
  readonly id: string;
  readonly orgId: string;
  readonly kind: "ServerSideApplication" | "ClientSideApplication";
  readonly name: string;
  readonly expectedRpId: string;
  readonly expectedOrigin: string;
  readonly isActive: boolean;
}

/** An application as the API shows it (service interface, Application). */
export interface ApplicationView extends Omit<ShownApplication, "id"> {
  readonly appId: string;
  readonly permissionAssignments: readonly AssignedPermissionView[];
  readonly accessTokens: readonly AccessTokenView[];
}

export const applicationView = (
  application: ShownApplication,
  permissionAssignments: readonly AssignedPermissionView[],
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

interface ShownCredential {
  readonly id: string;
  readonly uuid: string;
  readonly kind: "Fido2" | "Key" | "PasswordProtectedKey" | "RecoveryKey";
  readonly name: string;
  readonly publicKey: string;
  readonly isActive: boolean;
  readonly relyingPartyId: string;
  readonly origin: string;
  readonly dateCreated: string;
}

/** A credential as the API shows it. */
export interface CredentialView extends Omit<ShownCredential, "id" | "uuid"> {
  readonly credentialId: string;
  readonly credentialUuid: string;
}

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
