import {
  type ActiveWallet,
  type ArchivedWallet,
  type ChainWallet,
  fail,
  isChainWallet,
  judgeKeyUser,
  ok,
  type Result,
  type WalletId,
} from "@conclave/custody";
import { type Connection, readWallet } from "@conclave/platform";
import { isShownTo, type Viewer } from "../people/viewer.ts";

/** The attributes of a viewer that decide which wallets it sees. */
export type WalletViewer = Pick<Viewer, "orgId" | "userId" | "isEndUser">;

/**
 * The wallet, if the caller may see it. A wallet of another organisation, one that does not exist, one that was never
 * completed and, for an end user, one of another owner give the same answer (INV-11).
 */
export const shownWallet = async (
  connection: Connection,
  caller: WalletViewer,
  walletId: WalletId,
): Promise<Result<ActiveWallet | ArchivedWallet>> => {
  const wallet = await readWallet(connection, walletId);
  const isThere = wallet?.status === "Active" || wallet?.status === "Archived";
  return isThere && wallet.orgId === caller.orgId && isShownTo(caller, wallet.signingKey)
    ? ok(wallet)
    : fail("WalletNotFound", { walletId, orgId: caller.orgId });
};

/** A visible wallet that is not archived; for one that was archived with its key the same answer as if it did not exist. */
export const visibleWallet = async (
  connection: Connection,
  caller: WalletViewer,
  walletId: WalletId,
): Promise<Result<ActiveWallet>> => {
  const wallet = await shownWallet(connection, caller, walletId);
  if (!wallet.ok) return wallet;
  return wallet.value.status === "Active"
    ? ok(wallet.value)
    : fail("WalletNotFound", { walletId, orgId: caller.orgId });
};

/** A visible wallet that the caller may sign with; KeyDelegated when it is an end user's and the caller is another. */
export const usableWallet = async (
  connection: Connection,
  caller: WalletViewer,
  walletId: WalletId,
): Promise<Result<ActiveWallet>> => {
  const wallet = await visibleWallet(connection, caller, walletId);
  if (!wallet.ok) return wallet;
  const judged = judgeKeyUser(wallet.value.signingKey, caller.userId);
  return judged.ok ? wallet : judged;
};

/** A wallet that the caller may pay with; NetworkWithoutAddress for one of a pseudo network. */
export const payingWallet = async (
  connection: Connection,
  caller: WalletViewer,
  walletId: WalletId,
): Promise<Result<ChainWallet>> => {
  const wallet = await usableWallet(connection, caller, walletId);
  if (!wallet.ok) return wallet;
  return isChainWallet(wallet.value)
    ? ok(wallet.value)
    : fail("NetworkWithoutAddress", { network: wallet.value.network });
};
