import {
  type ActiveKey,
  type ArchivedKey,
  fail,
  type Key,
  type KeyEvent,
  type KeyId,
  ok,
  type Result,
  type UserId,
} from "@conclave/custody";
import { type Connection, changeKey } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import type { Viewer } from "../people/viewer.ts";
import { judgeDelegate } from "./new-key.ts";
import { visibleKey } from "./visible-key.ts";

type MadeKey = ActiveKey | ArchivedKey;

/**
 * Changes a key of the caller's organisation, and its wallets.
 * @returns the changed key; KeyNotFound, also for a key of another organisation, or a refusal of `decideKey`
 */
const changeOwnKey = async (
  connection: Connection,
  caller: Viewer,
  keyId: KeyId,
  event: KeyEvent,
): Promise<Result<MadeKey>> => {
  const visible = await visibleKey(connection, caller, keyId);
  if (!visible.ok) return visible;
  const changed = await changeKey(connection, keyId, event);
  return changed.ok ? made(changed.value.key) : changed;
};

const made = (key: Key): Result<MadeKey> =>
  key.status === "Active" || key.status === "Archived" ? ok(key) : fail("KeyNotFound", { keyId: key.id });

/** @param name undefined removes it */
export const renameKey = (
  { database }: Dependencies,
  caller: Viewer,
  keyId: KeyId,
  name: string | undefined,
): Promise<Result<MadeKey>> =>
  database.transaction((connection) => changeOwnKey(connection, caller, keyId, { kind: "Renamed", name }));

/** Archives a key and its wallets: they accept no more requests. Requests that were accepted before are carried out (INV-5). */
export const archiveKey = (
  { database, now }: Dependencies,
  caller: Viewer,
  keyId: KeyId,
): Promise<Result<MadeKey>> =>
  database.transaction((connection) =>
    changeOwnKey(connection, caller, keyId, { kind: "Archived", date: now().toISOString() }),
  );

/**
 * Delegates a key and its wallets to an end user, for good.
 * @returns DelegateUnknown, KeyNotDelegable or KeyNotFound when that is not allowed
 */
export const delegateKey = (
  { database, now }: Dependencies,
  caller: Viewer,
  keyId: KeyId,
  to: UserId,
): Promise<Result<MadeKey>> =>
  database.transaction(async (connection) => {
    const visible = await visibleKey(connection, caller, keyId);
    if (!visible.ok) return visible;
    const delegate = await judgeDelegate(connection, caller, to);
    if (!delegate.ok) return delegate;
    return changeOwnKey(connection, caller, keyId, { kind: "Delegated", to, date: now().toISOString() });
  });
