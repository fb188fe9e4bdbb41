import { refusal } from "./descriptor.ts";

/** Users, tokens, credentials, permissions. */
export const IDENTITY_ERRORS = {
  PermissionMissing: refusal(
    403,
    "The caller is not authorized to perform this operation.",
    "Assign a permission that lists the operation in details.operation.",
  ),
  TokenNarrowed: refusal(
    403,
    "A token that holds a part of what its user may do cannot come to more.",
    "Name a permissionId that this token covers, or ask as the user.",
  ),
  PermissionNotFound: refusal(404, "permission not found", "List permissions with GET /permissions."),
  PermissionNameTaken: refusal(
    409,
    "Another permission has this name.",
    "Choose another name, or change that one.",
  ),
  PermissionImmutable: refusal(
    409,
    "The service made this permission; nobody renames or archives it, or changes more of it than details.changeable says.",
    "Create a permission of your own.",
  ),
  PermissionArchived: refusal(409, "The permission is archived.", "Take it back first, or use another one."),
  IdentityNotFound: refusal(
    404,
    "identity not found",
    "Name a user, a service account, a token or an application of your organisation.",
  ),
  AssignmentNotFound: refusal(
    404,
    "assignment not found",
    "List assignments with GET /permissions/{permissionId}/assignments.",
  ),
  AdministratorNeeded: refusal(
    409,
    "An organisation needs one person at least who is an administrator.",
    "Assign the permission to another person who has registered first.",
  ),
  AssignmentImmutable: refusal(
    409,
    "The service made this assignment; nobody revokes it.",
    "Revoke another one.",
  ),
  UserNotFound: refusal(404, "user not found", "List users with GET /auth/users."),
  UserNameTaken: refusal(409, "Another user has this name.", "Choose another name."),
  UserDeactivated: refusal(400, "User account has been deactivated.", "Have the user activated again."),
  UserGroupNotFound: refusal(
    404,
    "There is no such user group.",
    "List user groups with GET /auth/user-groups.",
  ),
  UserGroupNameTaken: refusal(
    409,
    "Another user group of the organisation has this name.",
    "Choose another name, or use that group.",
  ),
  MemberUnknown: refusal(
    400,
    "A member of a user group is a person of the organisation.",
    "Use the ids that GET /auth/users lists; details.userIds are not among them. A service account, and the user of an application, joins no group.",
  ),
  TooManyUserGroups: refusal(
    422,
    "The organisation has as many user groups as it may have.",
    "Delete one that is not needed with DELETE /auth/user-groups/{userGroupId}.",
  ),
  TooManyMembers: refusal(
    422,
    "The user group would have more members than a group may have.",
    "Remove members that are not needed with DELETE /auth/user-groups/{userGroupId}/members, or make another group.",
  ),
  GroupHoldsNoPermission: refusal(
    400,
    "A user group holds no permissions here.",
    "Assign the permission to each of the group's members: GET /auth/user-groups/{userGroupId}/members lists them.",
  ),
  ServiceAccountNotFound: refusal(
    404,
    "service account not found",
    "List service accounts with GET /auth/service-accounts.",
  ),
  AccessTokenNotFound: refusal(404, "access token not found", "List your tokens with GET /auth/pats."),
  ApplicationNotFound: refusal(404, "application not found", "List applications with GET /auth/apps."),
  ApplicationOwnState: refusal(
    400,
    "application cannot modify its own state",
    "Let somebody else activate, deactivate or archive it.",
  ),
  TooManyServiceAccounts: refusal(
    422,
    "The organisation has as many service accounts as it may have.",
    "Archive one that is not needed with DELETE /auth/service-accounts/{serviceAccountId}.",
  ),
  TooManyApplications: refusal(
    422,
    "The organisation has as many applications as it may have.",
    "Archive one that is not needed with DELETE /auth/apps/{appId}.",
  ),
  TooManyTokens: refusal(
    422,
    "You have as many personal access tokens as a person may have.",
    "Archive one that is not needed with DELETE /auth/pats/{tokenId}.",
  ),
  TooManyCredentials: refusal(
    422,
    "The user has as many active credentials as a person may have.",
    "Deactivate one that is not needed with PUT /auth/credentials/deactivate: a new one takes the place of the oldest that is not active.",
  ),
  TooManyServiceAccountCredentials: refusal(
    422,
    "The service account has as many credentials as it may have.",
    "Delete one that is not needed with DELETE /auth/service-accounts/credentials/{credentialUuid}.",
  ),
  ServiceAccountNeeded: refusal(
    403,
    "Only a service account with its own token may do this.",
    "Send the token of the service account whose credential it is.",
  ),
  TooManyAssignments: refusal(
    422,
    "The identity has as many permissions as it may have.",
    "Take one back with DELETE /permissions/{permissionId}/assignments/{assignmentId}, or put the operations into one permission.",
  ),
  TooManyOperations: refusal(
    422,
    "The permissions of the organisation's service accounts, applications and tokens would list more operations together than they may.",
    "Take permissions back that are not needed with DELETE /permissions/{permissionId}/assignments/{assignmentId}, or archive those who have them: a permission counts once for each that has it.",
  ),
  PublicKeyInvalid: refusal(
    400,
    "The public key is not valid.",
    "Send a public key in PEM: Ed25519, P-256, P-384, P-521, secp256k1, or RSA of 2048 bits or more.",
  ),
  CredentialNotFound: refusal(
    404,
    "credential not found",
    "List your credentials with GET /auth/credentials.",
  ),
  CredentialTaken: refusal(409, "There is a credential of this credId.", "Register another one."),
  CredentialNeeded: refusal(
    409,
    "A user keeps one active credential at least.",
    "Register or activate another one first.",
  ),
  CredentialRefused: refusal(
    400,
    "The new credential did not sign its challenge.",
    "Correct what details.reason says, and start again with a fresh challenge.",
  ),
  LoginRefused: refusal(
    401,
    "User does not have a credential that can be used for the application.",
    "Check the username, the organisation and the credential.",
  ),
  IdentityProviderNotConfigured: refusal(
    400,
    "The organisation has no identity provider.",
    "Use a credential, with POST /auth/login/init. Operators name a provider in the file of CONCLAVE_IDENTITY_PROVIDERS.",
  ),
  RedirectUriUnknown: refusal(
    400,
    "The redirect address is none of the organisation's.",
    "Use one that the file of CONCLAVE_IDENTITY_PROVIDERS lists for the organisation, letter by letter.",
  ),
  IdentityNotVerified: refusal(
    401,
    "The identity provider does not vouch for this login.",
    "Correct what details.reason says, and start again with POST /auth/login/oidc/init.",
  ),
  RegistrationCodeInvalid: refusal(
    400,
    "Registration code is not valid.",
    "Check the username and the code, or have the user created anew.",
  ),
  RegistrationCodeExpired: refusal(
    400,
    "Registration code expired",
    "Have the user archived and created anew.",
  ),
  OneTimeCodeInvalid: refusal(
    400,
    "The code is not valid, was used before, or has expired.",
    "Ask for a fresh code: it serves once.",
  ),
  RecoveryRefused: refusal(
    401,
    "The new credentials are not signed by the recovery key.",
    "Sign newCredentials as they are sent with the recovery key that the challenge names, and start again.",
  ),
  AssignmentNeedsApproval: refusal(
    409,
    "A policy asks for approval before this permission is assigned.",
    "Leave permissionId out, and assign it afterwards with POST /permissions/{permissionId}/assignments.",
  ),
  AuditLogNotFound: refusal(404, "audit log not found", "List logs with GET /auth/action/logs."),
} as const;
