import type { FeeBid } from "@conclave/chains";
import {
  type Act,
  type ChainRequest,
  type ChainRequestId,
  type ChainWallet,
  type FamilyContent,
  type FeeLevels,
  fail,
  judgeTransfer,
  ok,
  REPLACED_MAX,
  type Result,
  type Transaction,
  type Transfer,
} from "@conclave/custody";
import { type Connection, listReplaced, readChainRequest, UnreadableRow } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import type { Draft } from "./accept-request.ts";
import { cosignersOf } from "./cosigners.ts";

/** The dependencies of making an act. */
export type Acting = Pick<Dependencies, "families" | "chains">;

/** The dependencies of making a request's act again, which reads a caller's own bytes again. */
export type Remaking = Acting & Pick<Dependencies, "reading">;

/** A request whose act is wanted: new, or waiting for its approval. */
type Asked = Draft | Transfer | Transaction;

/**
 * The act of a request whose content is already judged.
 * @returns KeyNotFound, KeyDelegated or KeySchemeMismatch of a cosigner
 */
export const actOf = async (
  acting: Acting,
  connection: Connection,
  wallet: ChainWallet,
  request: Asked,
  content: FamilyContent,
): Promise<Result<Act>> =>
  actAfterReplacing(acting, connection, wallet, request, content, await replacedIdsOf(connection, request));

const actAfterReplacing = async (
  acting: Acting,
  connection: Connection,
  wallet: ChainWallet,
  request: Asked,
  content: FamilyContent,
  replacedIds: readonly ChainRequestId[],
): Promise<Result<Act>> => {
  const cosigners = await cosignersOf(acting, connection, wallet, request.requester.userId);
  if (!cosigners.ok) return cosigners;
  const act = bareAct(wallet, request, content);
  return ok({
    ...act,
    cosigners: [...cosigners.value],
    ...(act.kind === "transaction" && replacedIds.length > 0 ? { replaces: [...replacedIds] } : {}),
  });
};

/**
 * The act of a request, made from its row alone, so that an approval hours later authorises the same act as an
 * immediate one.
 * @returns the refusals of `judgeTransfer`, `judgeTransaction` and `actOf`
 */
export const actOfRequest = async (
  acting: Remaking,
  connection: Connection,
  wallet: ChainWallet,
  request: Asked,
): Promise<Result<Act>> => {
  // a limit on this chain also limits how far the content is looked up
  const replacedIds = await replacedIdsOf(connection, request);
  const content = await contentOf(acting, connection, wallet, request);
  return content.ok
    ? actAfterReplacing(acting, connection, wallet, request, content.value, replacedIds)
    : content;
};

const bareAct = (wallet: ChainWallet, request: Asked, content: FamilyContent): Act => {
  const common = {
    version: 2 as const,
    orgId: request.orgId,
    walletId: request.walletId,
    keyId: wallet.keyId,
    cosigners: [],
    network: request.network,
    dateRequested: request.dateRequested,
  };
  return request.kind === "Transfer"
    ? { ...common, kind: "transfer", requestId: request.id, transfer: content }
    : { ...common, kind: "transaction", requestId: request.id, transaction: content };
};

/**
 * All requests that this one replaces, directly or through others, the newest first: at most one of them lands (INV-4).
 * @throws UnreadableRow where there are more than an act may name, as in a circle: no gateway wrote these rows
 */
const replacedIdsOf = async (
  connection: Connection,
  { id, replacesId }: Asked,
): Promise<readonly ChainRequestId[]> => {
  if (replacesId === undefined) return [];
  const replacedIds = await listReplaced(connection, replacesId, REPLACED_MAX + 1);
  if (replacedIds.length > REPLACED_MAX) throw new UnreadableRow({ record: id, columns: ["replaces_id"] });
  return replacedIds;
};

/**
 * The content of a request, in the form of its family. The orchestrator wrote the transaction in the row, so the
 * authority signs nothing of that transaction but the place that the replacement takes (INV-3).
 */
const contentOf = async (
  acting: Remaking,
  connection: Connection,
  wallet: ChainWallet,
  request: Asked,
): Promise<Result<FamilyContent>> => {
  const { families, reading } = acting;
  if (request.kind === "Transfer") {
    const judged = judgeTransfer(families, request.network, request.requestBody, wallet.address);
    return judged.ok ? ok(judged.value.transfer) : judged;
  }
  const replaced = await replacedBy(connection, request);
  const { network, requestBody } = request;
  switch (requestBody.kind) {
    case "SpeedUpTransaction":
    case "CancelTransaction":
      if (replaced === undefined) throw new Error(`${request.id} replaces nothing`);
      return replacementOf(acting, connection, wallet, replaced, requestBody);
    default: {
      const { address, signingKey } = wallet;
      const payer = { network, address, publicKey: signingKey.publicKey };
      const judged = await reading.withoutTurn.transaction(payer, requestBody);
      if (!judged.ok || replaced === undefined) return judged;
      return families.familyOf(network).replacements.takePlace(judged.value, replaced.sequence);
    }
  }
};

const replacedBy = async (
  connection: Connection,
  { replacesId }: Asked,
): Promise<ChainRequest | undefined> =>
  replacesId === undefined ? undefined : readChainRequest(connection, replacesId);

/** The body of a replacement's row, which was written when it was requested, and which the orchestrator cannot change. */
export type ReplacementBody = Extract<
  Transaction["requestBody"],
  { readonly kind: "SpeedUpTransaction" | "CancelTransaction" }
>;

/**
 * The replacement of a request: the same with higher fees, or an empty one. Its fee limit comes from its own row, so
 * that an approval hours later authorises the judged request.
 */
export const replacementOf = async (
  acting: Remaking,
  connection: Connection,
  wallet: ChainWallet,
  replaced: ChainRequest,
  { kind, signedTx, market }: ReplacementBody,
): Promise<Result<FamilyContent>> => {
  const content = await contentOf(acting, connection, wallet, replaced);
  if (!content.ok) return content;
  const { replacements } = acting.families.familyOf(replaced.network);
  const signed = Buffer.from(signedTx.slice(2), "hex");
  const earlier = { act: bareAct(wallet, replaced, content.value), sequence: replaced.sequence, signed };
  return kind === "SpeedUpTransaction"
    ? replacements.speedUp(earlier, market)
    : replacements.cancel(earlier, wallet.address, market);
};

/**
 * The service's own bid for a request that waits.
 * @param cap of the network's `feeBumps`
 * @param market the current fees
 * @returns TransactionKindNotSupported when the request cannot be sped up
 */
export const feeBidOf = async (
  acting: Remaking,
  connection: Connection,
  wallet: ChainWallet,
  stuck: ChainRequest,
  cap: string,
  market: FeeLevels,
): Promise<Result<FeeBid>> => {
  const { unsignedTransaction: unsigned, signedTransaction: signed, sequence } = stuck;
  const { bump } = acting.families.familyOf(stuck.network).replacements;
  if (bump === undefined || unsigned === undefined || signed === undefined) {
    return fail("TransactionKindNotSupported", { requestId: stuck.id });
  }
  const content = await contentOf(acting, connection, wallet, stuck);
  if (!content.ok) return content;
  return bump({
    replaced: { act: bareAct(wallet, stuck, content.value), sequence, signed },
    unsigned,
    cap,
    market,
  });
};

/** Whether a request can be replaced; RequestStateInvalid or RequestReplaced when it cannot. */
export const judgeReplaceable = (request: ChainRequest): Result<void> => {
  const isUnderWay = request.status === "Executing" || request.status === "Broadcasted";
  if (!isUnderWay || request.signedTransaction === undefined) {
    return fail("RequestStateInvalid", { requestId: request.id, status: request.status });
  }
  return request.replacementId === undefined
    ? ok(undefined)
    : fail("RequestReplaced", { requestId: request.id, replacementId: request.replacementId });
};
