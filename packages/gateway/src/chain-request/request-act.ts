import { type Call, callOf, decodeAnyUnsigned, requestedCall } from "@conclave/chains";
import {
  type AuthorisedAct,
  type AuthorisedTransaction,
  type ChainRequest,
  type ChainWallet,
  type EvmCall,
  fail,
  judgeTransaction,
  judgeTransfer,
  ok,
  type PolicyDecision,
  type Result,
  type Transaction,
  type Transfer,
} from "@conclave/custody";
import { type Connection, readChainRequest } from "@conclave/platform";
import type { Draft } from "./accept-request.ts";

/** A request whose act is asked for: new, or waiting for its approval. */
type Asked = Draft | Transfer | Transaction;

/**
 * What the authority signs of a request, made from its row alone, so that an approval hours later authorises the very
 * same as an approval at once.
 * @returns what `judgeTransfer` and `judgeTransaction` refuse
 */
export const actOfRequest = async (
  connection: Connection,
  wallet: ChainWallet,
  request: Asked,
): Promise<Result<(decision: PolicyDecision) => AuthorisedAct>> => {
  const common = {
    version: 1 as const,
    orgId: request.orgId,
    walletId: request.walletId,
    keyId: wallet.keyId,
    network: request.network,
    dateRequested: request.dateRequested,
  };
  if (request.kind === "Transfer") {
    const judged = judgeTransfer(request.network, request.requestBody, wallet.address);
    if (!judged.ok) return judged;
    const { transfer } = judged.value;
    return ok((policy) => ({ ...common, kind: "transfer", requestId: request.id, transfer, policy }));
  }
  const transaction = await transactionOf(connection, wallet, request);
  if (!transaction.ok) return transaction;
  const replaced = await replacedBy(connection, request);
  const replaces = replaced && replacesOf(replaced);
  return ok((policy) => ({
    ...common,
    kind: "transaction",
    requestId: request.id,
    transaction: transaction.value,
    ...(replaces === undefined ? {} : { replaces }),
    policy,
  }));
};

const replacedBy = async (
  connection: Connection,
  { replacesId }: Asked,
): Promise<ChainRequest | undefined> =>
  replacesId === undefined ? undefined : readChainRequest(connection, replacesId);

const transactionOf = async (
  connection: Connection,
  wallet: ChainWallet,
  request: Extract<Asked, { readonly kind: "Transaction" }>,
): Promise<Result<AuthorisedTransaction["transaction"]>> => {
  const { network, requestBody } = request;
  switch (requestBody.kind) {
    case "SpeedUpTransaction": {
      const replaced = await replacedBy(connection, request);
      if (replaced === undefined) throw new Error(`${request.id} speeds up nothing`);
      return payloadOf(connection, wallet, replaced);
    }
    case "CancelTransaction":
      return ok({ kind: "Call", to: wallet.address.toLowerCase(), value: "0", data: "" });
    case "Transaction":
    case "Evm":
    case "Eip1559":
    case "EvmLegacy":
      return judgeTransaction(network, requestBody);
  }
};

/** What a request of ours does; its nonce stands in `replaces`, its fees are to be raised. */
const payloadOf = async (
  connection: Connection,
  wallet: ChainWallet,
  replaced: ChainRequest,
): Promise<Result<EvmCall>> => {
  const call = await callOfRequest(connection, wallet, replaced);
  if (!call.ok) return call;
  const { to, value, data } = call.value;
  return ok({
    kind: "Call",
    ...(to === undefined ? {} : { to: to.toLowerCase() }),
    value: value.toString(),
    data: data.slice(2),
  });
};

/**
 * The call that a request's owner asked for. The transaction in its row is the orchestrator's word, which the authority
 * signs nothing of (INV-3).
 */
const callOfRequest = async (
  connection: Connection,
  wallet: ChainWallet,
  request: ChainRequest,
): Promise<Result<Call>> => {
  if (request.kind === "Transfer") {
    const judged = judgeTransfer(request.network, request.requestBody, wallet.address);
    return judged.ok ? ok(callOf(judged.value.transfer)) : judged;
  }
  const transaction = await transactionOf(connection, wallet, request);
  if (!transaction.ok) return transaction;
  return transaction.value.kind === "Call"
    ? ok(requestedCall(transaction.value))
    : decodeAnyUnsigned(Buffer.from(transaction.value.unsigned, "hex"));
};

const replacesOf = ({ id, nonce }: ChainRequest): AuthorisedTransaction["replaces"] => {
  if (nonce === undefined) throw new Error(`${id} is replaced and has no nonce`);
  return { requestId: id, nonce };
};

/** Whether a request can be replaced: RequestStateInvalid or RequestReplaced when it cannot. */
export const judgeReplaceable = (request: ChainRequest): Result<void> => {
  const isUnderWay = request.status === "Executing" || request.status === "Broadcasted";
  if (!isUnderWay || request.signedTransaction === undefined) {
    return fail("RequestStateInvalid", { requestId: request.id, status: request.status });
  }
  return request.replacementId === undefined
    ? ok(undefined)
    : fail("RequestReplaced", { requestId: request.id, replacementId: request.replacementId });
};
