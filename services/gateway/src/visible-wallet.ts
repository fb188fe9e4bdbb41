import { type ActiveWallet, fail, ok, type Result, type WalletId } from "@conclave/custody";
import { type Caller, type Connection, readWallet } from "@conclave/platform";

/**
 * The wallet, as far as the caller may know of it. One of another organisation and one that does not exist get the
 * very same answer (INV-11), as does one that is not active yet.
 */
export const visibleWallet = async (
  connection: Connection,
  caller: Caller,
  walletId: WalletId,
): Promise<Result<ActiveWallet>> => {
  const wallet = await readWallet(connection, walletId);
  return wallet?.orgId === caller.orgId && wallet.status === "Active"
    ? ok(wallet)
    : fail("WalletNotFound", { walletId, orgId: caller.orgId });
};
