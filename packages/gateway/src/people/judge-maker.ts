import type { Need } from "@conclave/custody";
import { type Caller, type Connection, changeRights } from "@conclave/platform";
import { demand } from "../http/refused.ts";
import { anyOf } from "../permission/requires.ts";
import { judgeStanding } from "../permission/standing.ts";

/** The permissions for making a service account, and an application. */
export const MAY_MAKE_SERVICE_ACCOUNT: readonly Need[] = [
  anyOf("Auth:ServiceAccounts:Create", "Auth:Apps:Create"),
  anyOf("Auth:ServiceAccounts:Create", "Auth:Types:ServiceAccount"),
];
export const MAY_MAKE_APPLICATION: readonly Need[] = ["Auth:Apps:Create", "Auth:Types:Application"];

/**
 * Judges, in the transaction that makes a service account or an application, whether the caller still has the right,
 * which may have ended since the request came.
 * @throws Refused with PermissionMissing
 */
export const judgeMaker = async (
  connection: Connection,
  caller: Caller,
  needs: readonly Need[],
): Promise<void> => {
  await changeRights(connection, caller.orgId);
  demand(await judgeStanding(connection, caller, "who makes it", needs));
};
