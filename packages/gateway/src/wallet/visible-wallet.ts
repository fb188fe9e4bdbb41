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
 * The wallet, as far as the caller may know of it. One of another organisation and one that does not exist get the
 * very same answer (INV-11), as does one that never came to be and, to an end user, one that is not its own.
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

/** A wallet that lives: the same answer again for one that was archived with its key. */
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

/** A wallet that the caller may sign with: KeyDelegated when it is an end user's and the caller is not that one. */
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

/** A wallet that the caller may pay with; NetworkWithoutAddress when it is one of a pseudo network. */
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
