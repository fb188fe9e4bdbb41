import type { Need } from "@conclave/custody";
import { anyOf } from "./requires.ts";

/** The permission to decide on approvals. */
export const MAY_APPROVE: Need = "Policies:Approvals:Approve";

/** The permissions to assign a permission, and to revoke one, under the names of both generations of clients. */
export const MAY_ASSIGN: Need = anyOf("PermissionAssignments:Create", "Permissions:Assign");
export const MAY_REVOKE: Need = anyOf("PermissionAssignments:Revoke", "Permissions:Revoke");

/** The permission to ask a wallet or a key for a signature. */
export const MAY_SIGN: Need = anyOf("Wallets:GenerateSignature", "Keys:Signatures:Create");

/** The permissions to archive a policy, and a permission, for clients that call it deleting as well. */
export const MAY_ARCHIVE_POLICY: Need = anyOf("Policies:Archive", "Policies:Delete");
export const MAY_DELETE_PERMISSION: Need = anyOf("Permissions:Archive", "Permissions:Delete");
