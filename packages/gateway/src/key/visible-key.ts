import {
  type ActiveKey,
  type ArchivedKey,
  fail,
  judgeKeyUser,
  type KeyId,
  ok,
  type Result,
} from "@conclave/custody";
import { type Connection, readKey } from "@conclave/platform";
import { isShownTo, type Viewer } from "../people/viewer.ts";

/**
 * The key, if the caller may see it. A key of another organisation, one that does not exist, one that was never
 * completed and, for an end user, one of another owner give the same answer (INV-11).
 */
export const shownKey = async (
  connection: Connection,
  caller: Viewer,
  keyId: KeyId,
): Promise<Result<ActiveKey | ArchivedKey>> => {
  const key = await readKey(connection, keyId);
  const isThere = key?.status === "Active" || key?.status === "Archived";
  return isThere && key.orgId === caller.orgId && isShownTo(caller, key)
    ? ok(key)
    : fail("KeyNotFound", { keyId, orgId: caller.orgId });
};

/** A visible key that is not archived; for an archived one the same answer as if it did not exist. */
export const visibleKey = async (
  connection: Connection,
  caller: Viewer,
  keyId: KeyId,
): Promise<Result<ActiveKey>> => {
  const key = await shownKey(connection, caller, keyId);
  if (!key.ok) return key;
  return key.value.status === "Active" ? ok(key.value) : fail("KeyNotFound", { keyId, orgId: caller.orgId });
};

/** A visible key that the caller may sign with; KeyDelegated when it is an end user's and the caller is another. */
export const usableKey = async (
  connection: Connection,
  caller: Viewer,
  keyId: KeyId,
): Promise<Result<ActiveKey>> => {
  const key = await visibleKey(connection, caller, keyId);
  if (!key.ok) return key;
  const judged = judgeKeyUser(key.value, caller.userId);
  return judged.ok ? key : judged;
};
