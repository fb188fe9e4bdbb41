import type { Context } from "hono";
import { z } from "zod";
import { boundedBody } from "../../http/bounded-body.ts";
import { jsonResponse } from "../../http/json-response.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import { fromBase64, toBase64 } from "../horizon/format.ts";
import { type RpcAnswer, rpcResult, wrongParameters } from "../rpc/answer.ts";
import { callStellarRpc } from "../rpc/call.ts";
import { latestLedger } from "../state.ts";
import { encodeXdr } from "../xdr/codec.ts";
import { xdrTransactionResult } from "../xdr/result.ts";
import { horizonProblem } from "./problem.ts";
import { type HorizonHost, stellarTime } from "./running.ts";

const REQUEST_BYTES_MAX = 512 * 1024;
const INVALID_REQUEST = -32600;

const requestSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string().max(100), z.number(), z.null()]).default(null),
  method: z.string().max(100),
  params: z.unknown().optional(),
});
const transactionSchema = z.object({ transaction: z.string() });

/** sendTransaction: submits a transaction to the ledger. @returns a Response where the answer is not JSON-RPC */
const sent = (host: HorizonHost, parameters: unknown): RpcAnswer | Response => {
  const parsed = transactionSchema.safeParse(parameters);
  const bytes = parsed.success ? fromBase64(parsed.data.transaction) : undefined;
  if (bytes === undefined) return wrongParameters("invalid_xdr: the transaction is no base64");
  const [effect] = host.apply({ kind: "submit", bytes, time: stellarTime(host) });
  if (effect === undefined || effect.kind === "mined") throw new Error("a submission has an outcome");
  if (effect.replyIsLost) return horizonProblem("timeout");
  if (effect.kind === "refused") return jsonResponse({ message: effect.message }, effect.status);
  if (effect.kind === "unreadable") return wrongParameters(`invalid_xdr: ${effect.message}`);
  const { sequence, value } = latestLedger(host.state).header;
  const { id, reply } = effect;
  const error = reply.status === "ERROR" ? encodeXdr(xdrTransactionResult, reply.result) : undefined;
  return rpcResult({
    status: reply.status,
    hash: id,
    latestLedger: sequence,
    latestLedgerCloseTime: value.closedAt.toString(),
    ...(error !== undefined && { errorResultXdr: toBase64(error) }),
  });
};

const parsedJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

/** POST /rpc: Stellar RPC, in JSON-RPC 2.0; one call at a time. */
export const stellarRpcRoute =
  (host: HorizonHost) =>
  async (context: Context<ConnectionBindings>): Promise<Response> => {
    const body = await boundedBody(context.req.raw, REQUEST_BYTES_MAX);
    if (body === undefined) return jsonResponse({ message: "the request is too long" }, 413);
    const request = requestSchema.safeParse(parsedJson(body));
    if (!request.success) {
      const error = { code: INVALID_REQUEST, message: z.prettifyError(request.error) };
      return jsonResponse({ jsonrpc: "2.0", id: null, error });
    }
    const { id, method, params } = request.data;
    const answer =
      method === "sendTransaction"
        ? sent(host, params)
        : callStellarRpc(host.state, method, params, new URL(context.req.url).origin);
    if (answer instanceof Response) return answer;
    return answer.ok
      ? jsonResponse({ jsonrpc: "2.0", id, result: answer.result })
      : jsonResponse({ jsonrpc: "2.0", id, error: { code: answer.code, message: answer.message } });
  };
