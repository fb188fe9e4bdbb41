import { decodeAnyUnsigned } from "@conclave/chains";
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
  const replaced =
    request.replacesId === undefined ? undefined : await readChainRequest(connection, request.replacesId);
  const transaction = transactionOf(wallet, request, replaced);
  if (!transaction.ok) return transaction;
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

const transactionOf = (
  wallet: ChainWallet,
  { network, requestBody }: Pick<Transaction, "network" | "requestBody">,
  replaced: ChainRequest | undefined,
): Result<AuthorisedTransaction["transaction"]> => {
  switch (requestBody.kind) {
    case "SpeedUpTransaction":
      return ok(payloadOf(replaced));
    case "CancelTransaction":
      return ok({ kind: "Call", to: wallet.address.toLowerCase(), value: "0", data: "" });
    case "Transaction":
    case "Evm":
    case "Eip1559":
    case "EvmLegacy":
      return judgeTransaction(network, requestBody);
  }
};

/** What a signed request of ours does; its nonce stands in `replaces`, its fees are to be raised. */
const payloadOf = (replaced: ChainRequest | undefined): EvmCall => {
  const decoded = decodeAnyUnsigned(replaced?.unsignedTransaction ?? new Uint8Array());
  if (!decoded.ok) throw new Error(`${replaced?.id} cannot be read: ${decoded.problem.message}`);
  const { to, value, data } = decoded.value;
  return {
    kind: "Call",
    ...(to === undefined ? {} : { to }),
    value: value.toString(),
    data: data.slice(2),
  };
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
