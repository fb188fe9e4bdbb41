import {
  type ChainRequest,
  type ChainWallet,
  type EvmFeeLevels,
  evmFeeLevelsSchema,
  type FamilyContent,
  holderOf,
  judgeOwnersAct,
  type Network,
  ok,
  type Requester,
  type Result,
  type Transaction,
  type TransactionId,
  transactionIdSchema,
  UNTOUCHED,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  holdRights,
  lockChainRequest,
  readReplacementChain,
} from "@conclave/platform";
import { transactionOfKey } from "../admission/key-turn.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { requestAccepted } from "../log-events.ts";
import { requesterOf } from "../people/requester.ts";
import { effectsOfAct } from "../policy/signing-activity.ts";
import { payingWallet } from "../wallet/visible-wallet.ts";
import { type Acceptance, acceptRequest, type Draft } from "./accept-request.ts";
import { actOf, judgeReplaceable, type ReplacementBody, replacementOf } from "./request-act.ts";
import { roomForReplacement } from "./room-for-replacement.ts";
import { untilBroadcast } from "./until-broadcast.ts";

/**
 * Replaces a request that waits to land: with the same payload and higher fees, or with an empty transaction. The
 * replacement is a request of its own in the same place, so that one of the two lands (INV-4). If the request was
 * already replaced, the request that holds its place now is replaced.
 * @param visible the request, as the caller may see it
 * @returns the new transaction; WalletNotFound, KeyDelegated, or a refusal of `judgeOwnersAct`
 */
export const replaceRequest = async (
  dependencies: Dependencies,
  caller: Caller,
  visible: ChainRequest,
  kind: ReplacementBody["kind"],
): Promise<Result<Transaction>> => {
  const { database, world } = dependencies;
  const wallet = await payingWallet(database, caller, visible.walletId);
  if (!wallet.ok) return wallet;
  const replacementChain = await readReplacementChain(database, visible);
  const room = await roomForReplacement(dependencies, database, holderOf(replacementChain));
  const holder = judgeOwnersAct(
    replacementChain,
    kind === "SpeedUpTransaction" ? "speed-up" : "cancel",
    room,
  );
  if (!holder.ok) return holder;
  const { id } = holder.value;
  const market = await marketOf(dependencies, visible.network);
  const madeId = world.freshId(transactionIdSchema, "tx");
  const take = async (connection: Connection) => {
    // locks rights before any row, in the order that all operations use
    await holdRights(connection, visible.orgId);
    const replaced = await lockChainRequest(connection, id);
    if (replaced === undefined) throw new Error(`${id} is gone`);
    demand(judgeReplaceable(replaced));
    const requestBody = replacementBody(kind, replaced, market);
    const content = demand(
      await replacementOf(dependencies, connection, wallet.value, replaced, requestBody),
    );
    const wanted = { id: madeId, requester: requesterOf(caller), requestBody, content, isFeeBump: false };
    return acceptReplacement(dependencies, connection, wallet.value, replaced, wanted);
  };
  const accepted = await untilBroadcast(dependencies, madeId, async () => {
    const committed = await transactionOfKey(dependencies, wallet.value.keyId, take);
    if (committed !== undefined)
      requestAccepted(dependencies.logger, { requestId: madeId, status: committed.status });
    return committed;
  });
  if (accepted?.kind !== "Transaction") throw new Error("a replacement without an externalId conflicts");
  return ok(accepted);
};

/** The current fees, where they limit a replacement; without an answer of the node, the replaced request alone limits it. */
const marketOf = async ({ chains }: Dependencies, network: Network): Promise<EvmFeeLevels | undefined> => {
  const levels = await chains.get(network)?.feeLevels();
  // a row with numbers that no chain has could not be read
  const market = evmFeeLevelsSchema.safeParse(levels?.ok === true ? levels.value : undefined);
  return market.success ? market.data : undefined;
};

/** A replacement that is to be accepted. */
export interface WantedReplacement {
  readonly id: TransactionId;
  readonly requester: Requester;
  readonly requestBody: ReplacementBody;
  /** its act, in the form of its family */
  readonly content: FamilyContent;
  /** whether the service itself makes it */
  readonly isFeeBump: boolean;
}

/**
 * Accepts a replacement inside a transaction that has locked the replaced request and found it replaceable.
 * @returns the request after the policies' judgement; never undefined, as it has no externalId
 */
export const acceptReplacement = async (
  acceptance: Acceptance & Pick<Dependencies, "now">,
  connection: Connection,
  wallet: ChainWallet,
  replaced: ChainRequest,
  { content, ...wanted }: WantedReplacement,
): Promise<ChainRequest | undefined> => {
  const draft: Draft = {
    ...UNTOUCHED,
    ...wanted,
    kind: "Transaction",
    orgId: replaced.orgId,
    walletId: replaced.walletId,
    network: replaced.network,
    externalId: undefined,
    replacesId: replaced.id,
    dateRequested: acceptance.now().toISOString(),
  };
  const act = demand(await actOf(acceptance, connection, wallet, draft, content));
  return acceptRequest(acceptance, connection, wallet, draft, act, effectsOfAct(acceptance, act));
};

/** The row's body, which describes the replaced request. */
export const replacementBody = (
  kind: ReplacementBody["kind"],
  { id, txHash, signedTransaction }: ChainRequest,
  market?: EvmFeeLevels,
): ReplacementBody => {
  if (txHash === undefined || signedTransaction === undefined) throw new Error(`${id} is not signed`);
  const signedTx = `0x${Buffer.from(signedTransaction).toString("hex")}`;
  return { kind, txHash, signedTx, ...(market === undefined ? {} : { market }) };
};
