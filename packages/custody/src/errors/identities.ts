import { refusal } from "./descriptor.ts";

/** Users, tokens, credentials, permissions. */
export const IDENTITY_ERRORS = {
  PermissionMissing: refusal(
    403,
    "The caller is not authorized to perform this operation.",
    "Assign a permission that lists the operation in details.operation.",
  ),
  PermissionNotFound: refusal(404, "permission not found", "List permissions with GET /permissions."),
  PermissionNameTaken: refusal(
    409,
    "Another permission has this name.",
    "Choose another name, or change that one.",
  ),
  PermissionImmutable: refusal(
    409,
    "The service made this permission; nobody changes or archives it.",
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
    "An organisation needs one administrator at least.",
    "Assign the permission to somebody else first.",
  ),
  AssignmentImmutable: refusal(
    409,
    "The service made this assignment; nobody revokes it.",
    "Revoke another one.",
  ),
} as const;
