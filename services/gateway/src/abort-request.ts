import { type ChainRequest, ok, type Result } from "@conclave/custody";
import { type Caller, changeChainRequest, lockChainRequest } from "@conclave/platform";
import type { Dependencies } from "./dependencies.ts";
import { usableWallet } from "./visible-wallet.ts";

/**
 * Ends a request that was not signed yet: one that is pending is Rejected, one under way is Failed. What is signed can
 * only be replaced.
 * @param visible the request, as the caller may see it
 * @returns WalletNotFound, KeyDelegated, or RequestStateInvalid
 */
export const abortRequest = async (
  { database, now }: Dependencies,
  caller: Caller,
  visible: ChainRequest,
): Promise<Result<void>> => {
  const wallet = await usableWallet(database, caller, visible.walletId);
  if (!wallet.ok) return wallet;
  return database.transaction(async (connection) => {
    const request = await lockChainRequest(connection, visible.id);
    if (request === undefined) throw new Error(`${visible.id} is gone`);
    const reason = `aborted by ${caller.userId}`;
    const event = { kind: "Aborted", date: now().toISOString(), reason } as const;
    const aborted = await changeChainRequest(connection, request, event);
    return aborted.ok ? ok(undefined) : aborted;
  });
};
