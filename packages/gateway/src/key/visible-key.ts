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
 * The key, as far as the caller may know of it. One of another organisation and one that does not exist get the very
 * same answer (INV-11), as does one that never came to be and, to an end user, one that is not its own.
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

/** A key that lives: the same answer again for one that was archived. */
export const visibleKey = async (
  connection: Connection,
  caller: Viewer,
  keyId: KeyId,
): Promise<Result<ActiveKey>> => {
  const key = await shownKey(connection, caller, keyId);
  if (!key.ok) return key;
  return key.value.status === "Active" ? ok(key.value) : fail("KeyNotFound", { keyId, orgId: caller.orgId });
};

/** A key that the caller may sign with: KeyDelegated when it is an end user's and the caller is not that one. */
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
