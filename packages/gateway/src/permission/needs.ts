import type { Need } from "@conclave/custody";
import { anyOf } from "./requires.ts";

/** What it takes to decide on approvals. */
export const MAY_APPROVE: Need = "Policies:Approvals:Approve";

/** What it takes to assign a permission, and to take one back: clients of both generations have names for it. */
export const MAY_ASSIGN: Need = anyOf("PermissionAssignments:Create", "Permissions:Assign");
export const MAY_REVOKE: Need = anyOf("PermissionAssignments:Revoke", "Permissions:Revoke");

/** What it takes to ask a wallet or a key for a signature. */
export const MAY_SIGN: Need = anyOf("Wallets:GenerateSignature", "Keys:Signatures:Create");
