import {
  type Approval,
  approvalIdSchema,
  type ChainRequest,
  holderOf,
  judgeOwnersAct,
  ok,
  type Result,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  changeChainRequest,
  lockApproval,
  lockChainRequest,
  readReplacementChain,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { withdrawApproval } from "../policy/withdraw-approval.ts";
import { usableWallet } from "../wallet/visible-wallet.ts";
import { roomForReplacement } from "./room-for-replacement.ts";

/**
 * Aborts a request that is not signed yet: a pending one becomes Rejected, as does the approval that it waits for; one
 * under way becomes Failed. A signed request can only be replaced.
 * @param visible the request, as the caller may see it
 * @returns WalletNotFound, KeyDelegated, or a refusal of `judgeOwnersAct`
 */
export const abortRequest = async (
  { database, families, now }: Dependencies,
  caller: Caller,
  visible: ChainRequest,
): Promise<Result<void>> => {
  const wallet = await usableWallet(database, caller, visible.walletId);
  if (!wallet.ok) return wallet;
  return database.transaction(async (connection) => {
    // locks the approval first, as a decision on it does, so that the two cannot deadlock
    const approval = await approvalOf(connection, visible);
    const request = await lockChainRequest(connection, visible.id);
    if (request === undefined) throw new Error(`${visible.id} is gone`);
    const reason = `aborted by ${caller.userId}`;
    const date = now().toISOString();
    const replacementChain = await readReplacementChain(connection, request);
    const room = await roomForReplacement({ families }, connection, holderOf(replacementChain));
    const judged = judgeOwnersAct(replacementChain, "abort", room);
    if (!judged.ok) return judged;
    const aborted = await changeChainRequest(connection, request, { kind: "Aborted", date, reason });
    if (!aborted.ok) return aborted;
    if (approval !== undefined) await withdrawApproval(connection, approval, date);
    return ok(undefined);
  });
};

const approvalOf = async (
  connection: Connection,
  { orgId, approvalId }: ChainRequest,
): Promise<Approval | undefined> =>
  approvalId === undefined ? undefined : lockApproval(connection, orgId, approvalIdSchema.parse(approvalId));
