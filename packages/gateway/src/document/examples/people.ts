import type {
  archivePermissionBodySchema,
  createApplicationBodySchema,
  createAssignmentBodySchema,
  createPatBodySchema,
  createPermissionBodySchema,
  createServiceAccountBodySchema,
  createServiceAccountCredentialBodySchema,
  createUserBodySchema,
  createUserGroupBodySchema,
  delegatedLoginBodySchema,
  delegatedRegistrationBodySchema,
  groupMembersBodySchema,
  renameBodySchema,
  updatePermissionBodySchema,
  updateUserBodySchema,
  updateUserGroupBodySchema,
} from "@conclave/custody";
import { SAMPLE_IDS } from "../vocabulary/ids.ts";
import type { Examples } from "./examples.ts";

/** A public key that belongs to no one: make your own (`openssl genpkey -algorithm ed25519`). */
const publicKey =
  "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEACGMXRQuANnlwJEEK5Qru5wFPJjcBiKR3taDOCbcgFno=\n-----END PUBLIC KEY-----\n";
const page = { relyingPartyId: "localhost", origin: "http://localhost:8080" };

export const CREATE_USER_EXAMPLES: Examples<typeof createUserBodySchema> = {
  "an employee": { email: "jane@example.com", kind: "CustomerEmployee" },
};

export const UPDATE_USER_EXAMPLES: Examples<typeof updateUserBodySchema> = {
  "another name": { name: "Jane Doe" },
};

export const DELEGATED_REGISTRATION_EXAMPLES: Examples<typeof delegatedRegistrationBodySchema> = {
  "an end user": { email: "shopper-1042", kind: "EndUser" },
};

export const DELEGATED_LOGIN_EXAMPLES: Examples<typeof delegatedLoginBodySchema> = {
  "an end user who has registered": { username: "shopper-7" },
};

export const RENAME_EXAMPLES: Examples<typeof renameBodySchema> = {
  "another name": { name: "Back office" },
};

export const SERVICE_ACCOUNT_EXAMPLES: Examples<typeof createServiceAccountBodySchema> = {
  "a machine's account": { name: "Back office", publicKey },
  "with a permission, for a month": {
    name: "Payouts",
    publicKey,
    permissionId: SAMPLE_IDS.permissionId,
    daysValid: 30,
  },
};

export const SERVICE_ACCOUNT_CREDENTIAL_EXAMPLES: Examples<typeof createServiceAccountCredentialBodySchema> =
  {
    "form: a service account's next key, sent with its token": { publicKey, name: "From January" },
  };

export const TOKEN_EXAMPLES: Examples<typeof createPatBodySchema> = {
  "for a month": { name: "Scripts", publicKey, daysValid: 30 },
  "for an hour": { name: "One evening", publicKey, secondsValid: 3_600 },
};

export const APPLICATION_EXAMPLES: Examples<typeof createApplicationBodySchema> = {
  "a page in browsers": { name: "Shop", kind: "ClientSideApplication", ...page },
  "a server": { name: "Shop's server", kind: "ServerSideApplication", ...page, publicKey },
};

export const CREATE_PERMISSION_EXAMPLES: Examples<typeof createPermissionBodySchema> = {
  "to make transfers and see them": {
    name: "Payouts",
    operations: ["Wallets:Read", "Wallets:Transfers:Create", "Wallets:Transfers:Read"],
  },
};

export const UPDATE_PERMISSION_EXAMPLES: Examples<typeof updatePermissionBodySchema> = {
  "to see alone": { operations: ["Wallets:Read", "Wallets:Transfers:Read"] },
};

export const ARCHIVE_PERMISSION_EXAMPLES: Examples<typeof archivePermissionBodySchema> = {
  archive: { isArchived: true },
  "take it back": { isArchived: false },
};

export const ASSIGNMENT_EXAMPLES: Examples<typeof createAssignmentBodySchema> = {
  "to a user": { identityId: SAMPLE_IDS.userId },
};

export const CREATE_USER_GROUP_EXAMPLES: Examples<typeof createUserGroupBodySchema> = {
  "a group": { name: "Treasurers", description: "approve large payments" },
};

export const UPDATE_USER_GROUP_EXAMPLES: Examples<typeof updateUserGroupBodySchema> = {
  "another name": { name: "Treasury" },
  "without a description": { description: null },
};

export const GROUP_MEMBERS_EXAMPLES: Examples<typeof groupMembersBodySchema> = {
  "one person": { userIds: [SAMPLE_IDS.userId] },
};
