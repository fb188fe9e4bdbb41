import type { Need } from "@conclave/custody";
import { anyOf } from "./requires.ts";

/** The permission to decide on approvals. */
export const MAY_APPROVE: Need = "Policies:Approvals:Approve";

/** The permissions to assign a permission, and to revoke one, under the names of both generations of clients. */
export const MAY_ASSIGN: Need = anyOf("PermissionAssignments:Create", "Permissions:Assign");
export const MAY_REVOKE: Need = anyOf("PermissionAssignments:Revoke", "Permissions:Revoke");

/** The permission to ask a wallet or a key for a signature. */
export const MAY_SIGN: Need = anyOf("Wallets:GenerateSignature", "Keys:Signatures:Create");
