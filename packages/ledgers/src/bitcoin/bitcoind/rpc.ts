import type { LedgerJson } from "../../json.ts";
import { BLOCKCHAIN_METHODS } from "./blockchain.ts";
import { COIN_METHODS } from "./coins.ts";
import { MEMPOOL_METHODS } from "./mempool.ts";
import { NODE_METHODS } from "./node.ts";
import { RPC_CODES } from "./rpc-error.ts";
import { type BitcoindAnswer, type BitcoindMethod, type BitcoindView, bitcoindError } from "./rpc-method.ts";
import { TRANSACTION_METHODS } from "./transactions.ts";

const METHODS: Readonly<Record<string, BitcoindMethod>> = {
  ...BLOCKCHAIN_METHODS,
  ...COIN_METHODS,
  ...TRANSACTION_METHODS,
  ...MEMPOOL_METHODS,
  ...NODE_METHODS,
};

/** The answer to one call, and how it is to be sent. */
export interface BitcoindReply {
  /** undefined for a notification, and for a lost reply */
  readonly body: LedgerJson;
  readonly status: number;
  readonly isLost: boolean;
}

interface RpcCall {
  readonly id: LedgerJson;
  readonly method: string;
  readonly parameters: unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const idOf = (id: unknown): LedgerJson =>
  typeof id === "string" || typeof id === "number" || typeof id === "boolean" ? id : null;

/** @source Bitcoin Core, src/rpc/request.cpp: JSONRPCRequest::parse */
const readCall = (request: Readonly<Record<string, unknown>>): RpcCall | BitcoindAnswer => {
  const { method, params } = request;
  if (method === undefined || method === null)
    return bitcoindError(RPC_CODES.invalidRequest, "Missing method");
  if (typeof method !== "string") return bitcoindError(RPC_CODES.invalidRequest, "Method must be a string");
  if (params !== undefined && params !== null && typeof params !== "object") {
    return bitcoindError(RPC_CODES.invalidRequest, "Params must be an array or object");
  }
  return { id: idOf(request["id"]), method, parameters: params ?? [] };
};

const answerCall = (ledger: BitcoindView, { method, parameters }: RpcCall): BitcoindAnswer => {
  const { faults } = ledger.state;
  if (faults.warmUps > 0) {
    ledger.apply({ kind: "set-faults", faults: { ...faults, warmUps: faults.warmUps - 1 } });
    return bitcoindError(RPC_CODES.inWarmup, "Loading block index…");
  }
  const found = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  return found?.answer(ledger, parameters) ?? bitcoindError(RPC_CODES.methodNotFound, "Method not found");
};

/** @source Bitcoin Core, src/httprpc.cpp: JSONErrorReply */
const statusOfCode = (code: number): number => {
  if (code === RPC_CODES.invalidRequest) return 400;
  return code === RPC_CODES.methodNotFound ? 404 : 500;
};

const replyOf = (answer: BitcoindAnswer, id: LedgerJson, isSecondVersion: boolean): BitcoindReply => {
  if (answer.kind === "lost") return { body: undefined, status: 200, isLost: true };
  const result = answer.kind === "result" ? answer.result : null;
  const error = answer.kind === "error" ? { code: answer.code, message: answer.message } : null;
  if (isSecondVersion) {
    const outcome = error === null ? { result } : { error };
    return { body: { jsonrpc: "2.0", ...outcome, id }, status: 200, isLost: false };
  }
  const status = answer.kind === "error" ? statusOfCode(answer.code) : 200;
  return { body: { result, error, id }, status, isLost: false };
};

const single = (ledger: BitcoindView, request: unknown): BitcoindReply => {
  if (!isObject(request)) {
    return replyOf(bitcoindError(RPC_CODES.invalidRequest, "Invalid Request object"), null, false);
  }
  const isSecondVersion = request["jsonrpc"] === "2.0";
  const call = readCall(request);
  if (!("method" in call)) return replyOf(call, idOf(request["id"]), isSecondVersion);
  const reply = replyOf(answerCall(ledger, call), call.id, isSecondVersion);
  const isNotification = isSecondVersion && !Object.hasOwn(request, "id");
  return isNotification && !reply.isLost ? { body: undefined, status: 204, isLost: false } : reply;
};

const MOST_CALLS = 1_000;

/** Answers a batch, one call after another; errors are in the single answers, so the HTTP status is 200. */
const batch = (ledger: BitcoindView, requests: readonly unknown[]): BitcoindReply => {
  if (requests.length > MOST_CALLS) {
    const words = `this simulated ledger answers at most ${MOST_CALLS} calls of a batch`;
    return replyOf(bitcoindError(RPC_CODES.invalidRequest, words), null, false);
  }
  const replies = requests.map((request) => single(ledger, request));
  const bodies = replies.map(({ body }) => body).filter((body) => body !== undefined);
  const status = bodies.length === 0 && requests.length > 0 ? 204 : 200;
  return { body: status === 204 ? undefined : bodies, status, isLost: replies.some(({ isLost }) => isLost) };
};

export const PARSE_ERROR: BitcoindReply = replyOf(bitcoindError(RPC_CODES.parse, "Parse error"), null, false);

/** Answers a POST body: one call of JSON-RPC 1 or 2, or a batch. @source Bitcoin Core 29, src/httprpc.cpp */
export const answerRpc = (ledger: BitcoindView, request: unknown): BitcoindReply => {
  if (Array.isArray(request)) return batch(ledger, request);
  return isObject(request)
    ? single(ledger, request)
    : replyOf(bitcoindError(RPC_CODES.parse, "Top-level object parse error"), null, false);
};
