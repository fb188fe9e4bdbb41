import {
  type ActiveWallet,
  decideWallet,
  fail,
  ok,
  type Result,
  type UpdateWalletBody,
  type WalletEvent,
  type WalletId,
} from "@conclave/custody";
import {
  type Connection,
  changeRights,
  isUniqueViolation,
  lockWallet,
  readWalletByExternalId,
  recordEvents,
  updateWallet,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { takenExternalId } from "../people/taken-external-id.ts";
import type { Viewer } from "../people/viewer.ts";
import { shownWallet, visibleWallet } from "./visible-wallet.ts";

/**
 * Changes a wallet of the caller's organisation: its row and its event, in the transaction of the connection (INV-6).
 * @returns the changed wallet; WalletNotFound, also for a wallet of another organisation, or a refusal of
 * `decideWallet`
 */
const changeWallet = async (
  connection: Connection,
  caller: Viewer,
  walletId: WalletId,
  event: WalletEvent,
): Promise<Result<ActiveWallet>> => {
  const visible = await visibleWallet(connection, caller, walletId);
  if (!visible.ok) return visible;
  const wallet = await lockWallet(connection, walletId);
  const decided = wallet === undefined ? fail("WalletNotFound", { walletId }) : decideWallet(wallet, event);
  if (!decided.ok) return decided;
  await updateWallet(connection, decided.value.wallet);
  await recordEvents(connection, decided.value.events);
  return decided.value.wallet.status === "Active"
    ? ok(decided.value.wallet)
    : fail("WalletNotFound", { walletId });
};

/** Changes a wallet's name or externalId; ExternalIdConflict when another wallet has that one. */
export const updateOwnWallet = async (
  { database }: Pick<Dependencies, "database">,
  caller: Viewer,
  walletId: WalletId,
  { name, externalId }: UpdateWalletBody,
): Promise<Result<ActiveWallet>> => {
  const event: WalletEvent = {
    kind: "Updated",
    ...(name === undefined ? {} : { name: name ?? undefined }),
    ...(externalId === undefined ? {} : { externalId: externalId ?? undefined }),
  };
  try {
    return await database.transaction((connection) => changeWallet(connection, caller, walletId, event));
  } catch (error) {
    if (typeof externalId !== "string" || !isUniqueViolation(error, "wallets_org_id_external_id_key")) {
      throw error;
    }
    const other = await readWalletByExternalId(database, caller.orgId, externalId);
    const isShown = other !== undefined && (await shownWallet(database, caller, other.id)).ok;
    return takenExternalId(externalId, other, isShown);
  }
};

/**
 * Adds tags to a wallet, or removes them; TagsTooMany. Policies find the wallet's key by them, so this waits for
 * judgements under way; later ones see the new tags.
 */
export const retagWallet = (
  { database, now }: Pick<Dependencies, "database" | "now">,
  caller: Viewer,
  walletId: WalletId,
  kind: "Tagged" | "Untagged",
  tags: readonly string[],
): Promise<Result<ActiveWallet>> =>
  database.transaction(async (connection) => {
    await changeRights(connection, caller.orgId);
    return changeWallet(connection, caller, walletId, { kind, tags, date: now().toISOString() });
  });
