import {
  fail,
  MOST_APPLICATIONS,
  MOST_ASSIGNMENTS,
  MOST_MACHINE_OPERATIONS,
  MOST_PERSONAL_TOKENS,
  MOST_SERVICE_ACCOUNTS,
  OPERATIONS,
  ok,
  type Result,
} from "@conclave/custody";
import {
  type AskedPermission,
  type Caller,
  type Connection,
  countApplications,
  countAssignments,
  countMachineOperations,
  countPersonalTokens,
  countServiceAccounts,
  type Permission,
} from "@conclave/platform";

// Each of these must run in the transaction that adds the entity, after `changeRights`, so that concurrent additions
// are judged one after the other.

/** Whether an organisation may have another service account. @returns TooManyServiceAccounts */
export const roomForServiceAccount = async (
  connection: Connection,
  { orgId }: Pick<Caller, "orgId">,
): Promise<Result<void>> =>
  (await countServiceAccounts(connection, orgId)) < MOST_SERVICE_ACCOUNTS
    ? ok(undefined)
    : fail("TooManyServiceAccounts", { most: MOST_SERVICE_ACCOUNTS });

/** Whether an organisation may have another application. @returns TooManyApplications */
export const roomForApplication = async (
  connection: Connection,
  { orgId }: Pick<Caller, "orgId">,
): Promise<Result<void>> =>
  (await countApplications(connection, orgId)) < MOST_APPLICATIONS
    ? ok(undefined)
    : fail("TooManyApplications", { most: MOST_APPLICATIONS });

/** Whether a caller may have another personal access token. @returns TooManyTokens */
export const roomForPersonalToken = async (
  connection: Connection,
  { orgId, userId }: Pick<Caller, "orgId" | "userId">,
): Promise<Result<void>> =>
  (await countPersonalTokens(connection, orgId, userId)) < MOST_PERSONAL_TOKENS
    ? ok(undefined)
    : fail("TooManyTokens", { most: MOST_PERSONAL_TOKENS });

/** Whether an identity may have this permission in addition to its others. @returns TooManyAssignments or TooManyOperations */
export const roomForAssignment = async (
  connection: Connection,
  permission: Permission,
  identityId: string,
): Promise<Result<void>> => {
  const { orgId, id, operations } = permission;
  if ((await countAssignments(connection, orgId, identityId)) >= MOST_ASSIGNMENTS) {
    return fail("TooManyAssignments", { identityId, most: MOST_ASSIGNMENTS });
  }
  return roomForOperations(connection, { orgId }, { id, operations: operations.length, identityId });
};

/** Whether a changed permission stays within the limits. @returns TooManyOperations */
export const roomForOperations = async (
  connection: Connection,
  { orgId }: Pick<Caller, "orgId">,
  permission: AskedPermission,
): Promise<Result<void>> => {
  const count = await countMachineOperations(connection, orgId, permission, OPERATIONS.length);
  return count <= MOST_MACHINE_OPERATIONS
    ? ok(undefined)
    : fail("TooManyOperations", { most: MOST_MACHINE_OPERATIONS, count });
};
