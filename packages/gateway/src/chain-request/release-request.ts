import {
  authorise,
  type ChainRequest,
  fail,
  isChainWallet,
  judgeKeyUser,
  type PolicyDecision,
  type Result,
} from "@conclave/custody";
import { type Connection, changeChainRequest, enqueue, readWallet } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { dueRequestOf } from "./due-request-of.ts";
import { type Acting, actOfRequest } from "./request-act.ts";

/**
 * Has the authority sign a request that waited for its approval, and asks an orchestrator for it. Call it inside the
 * transaction of the approval, with the request's row locked.
 * @returns the request; WalletNotFound when its wallet was archived since, KeyDelegated when its key became another's,
 *   RequestStateInvalid when it waits no more
 */
export const releaseRequest = async (
  dependencies: Pick<Dependencies, "authority" | "now"> & Acting,
  connection: Connection,
  request: ChainRequest,
  decision: PolicyDecision,
): Promise<Result<ChainRequest>> => {
  const wallet = await readWallet(connection, request.walletId);
  if (wallet === undefined || !isChainWallet(wallet)) throw new Error(`${request.id} has no wallet`);
  if (wallet.status !== "Active") return fail("WalletNotFound", { walletId: wallet.id });
  const user = judgeKeyUser(wallet.signingKey, request.requester.userId);
  if (!user.ok) return user;
  const act = await actOfRequest(dependencies, connection, wallet, request);
  if (!act.ok) return act;
  const authorised = await changeChainRequest(connection, request, {
    kind: "Authorised",
    authorisation: dependencies.authority(authorise(act.value, decision)),
    decision,
    date: dependencies.now().toISOString(),
  });
  if (authorised.ok) await enqueue(connection, dueRequestOf(dependencies.families, authorised.value));
  return authorised;
};
