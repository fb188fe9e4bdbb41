import {
  type ChainRequest,
  ok,
  type Result,
  type Transaction,
  transactionIdSchema,
  UNTOUCHED,
} from "@conclave/custody";
import { type Caller, type Connection, lockChainRequest } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { requesterOf } from "../people/requester.ts";
import { payingWallet } from "../wallet/visible-wallet.ts";
import { acceptRequest, type Draft } from "./accept-request.ts";
import { actOf, judgeReplaceable, replacementOf } from "./request-act.ts";
import { untilBroadcast } from "./until-broadcast.ts";

type ReplacementKind = "SpeedUpTransaction" | "CancelTransaction";

/**
 * Takes the place of a request that waits to land: with the same payload and higher fees, or with nothing at all. It is
 * a request of its own in the same place, so that one of the two lands (INV-4).
 * @param visible the request, as the caller may see it
 * @returns the new transaction; WalletNotFound, KeyDelegated, RequestStateInvalid when there is nothing to replace, or
 *   RequestReplaced
 */
export const replaceRequest = async (
  dependencies: Dependencies,
  caller: Caller,
  visible: ChainRequest,
  kind: ReplacementKind,
): Promise<Result<Transaction>> => {
  const { database, world } = dependencies;
  const { id, walletId } = visible;
  const wallet = await payingWallet(database, caller, walletId);
  if (!wallet.ok) return wallet;
  const madeId = world.freshId(transactionIdSchema, "tx");
  const take = async (connection: Connection) => {
    const replaced = await lockChainRequest(connection, id);
    if (replaced === undefined) throw new Error(`${id} is gone`);
    demand(judgeReplaceable(replaced));
    const requestBody = { kind, ...bytesOf(replaced) };
    const draft: Draft = {
      ...UNTOUCHED,
      kind: "Transaction",
      id: madeId,
      orgId: replaced.orgId,
      walletId,
      network: replaced.network,
      requester: requesterOf(caller),
      requestBody,
      externalId: undefined,
      replacesId: replaced.id,
      dateRequested: dependencies.now().toISOString(),
    };
    const content = demand(
      await replacementOf(dependencies, connection, wallet.value, replaced, requestBody),
    );
    const act = demand(await actOf(dependencies, connection, wallet.value, draft, content));
    return acceptRequest(dependencies, connection, wallet.value, draft, act);
  };
  const accepted = await untilBroadcast(dependencies, madeId, () => database.transaction(take));
  if (accepted?.kind !== "Transaction") throw new Error("a replacement without an externalId conflicts");
  return ok(accepted);
};

const bytesOf = ({ id, txHash, signedTransaction }: ChainRequest) => {
  if (txHash === undefined || signedTransaction === undefined) throw new Error(`${id} is not signed`);
  return { txHash, signedTx: `0x${Buffer.from(signedTransaction).toString("hex")}` };
};
