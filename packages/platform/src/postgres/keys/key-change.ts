import { decideKey, fail, type KeyDecision, type KeyEvent, type KeyId, type Result } from "@conclave/custody";
import type { Connection } from "../database.ts";
import { recordEvents } from "../events.ts";
import { lockKey, updateKey } from "./keys.ts";
import { lockWalletsOfKey, updateWallet } from "./wallets.ts";

/**
 * Applies an event to a key and its wallets: rows and events in the caller's transaction (INV-6).
 * @returns KeyNotFound, or the refusal of `decideKey`; then nothing has changed
 */
export const changeKey = async (
  connection: Connection,
  id: KeyId,
  event: KeyEvent,
): Promise<Result<KeyDecision>> => {
  const key = await lockKey(connection, id);
  if (key === undefined) return fail("KeyNotFound", { keyId: id });
  const decision = decideKey(key, await lockWalletsOfKey(connection, id), event);
  if (!decision.ok) return decision;
  await updateKey(connection, decision.value.key);
  for (const wallet of decision.value.wallets) await updateWallet(connection, wallet);
  await recordEvents(connection, decision.value.events);
  return decision;
};
