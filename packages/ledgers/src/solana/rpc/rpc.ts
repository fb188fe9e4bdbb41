import type { LedgerJson } from "../../json.ts";
import { AGAVE_CODES } from "../refusal.ts";
import { AGAVE_ACCOUNT_METHODS } from "./accounts.ts";
import { AGAVE_BLOCK_METHODS } from "./blocks.ts";
import { AGAVE_FEE_METHODS } from "./fees.ts";
import { type AgaveAnswer, type AgaveMethod, type AgaveView, agaveRefused } from "./method.ts";
import { AGAVE_NODE_METHODS } from "./node.ts";
import { AGAVE_SUBMISSION_METHODS } from "./submissions.ts";
import { AGAVE_TRANSACTION_METHODS } from "./transactions.ts";

const METHODS: Readonly<Record<string, AgaveMethod>> = {
  ...AGAVE_ACCOUNT_METHODS,
  ...AGAVE_BLOCK_METHODS,
  ...AGAVE_FEE_METHODS,
  ...AGAVE_NODE_METHODS,
  ...AGAVE_SUBMISSION_METHODS,
  ...AGAVE_TRANSACTION_METHODS,
};

const MOST_CALLS = 1_000;

/** undefined if the reply is lost */
type Reply = LedgerJson;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const idOf = (id: unknown): LedgerJson => (typeof id === "string" || typeof id === "number" ? id : null);

/** A call of JSON-RPC 2. */
export interface AgaveCall {
  readonly id: LedgerJson;
  readonly method: string;
  readonly parameters: readonly unknown[];
}

/** @returns undefined if the request is not a call */
export const readAgaveCall = (request: unknown): AgaveCall | undefined => {
  if (!isObject(request) || request["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params = [] } = request;
  if (typeof method !== "string" || !Array.isArray(params)) return undefined;
  return { id: idOf(id), method, parameters: params };
};

export const agaveReply = (
  id: LedgerJson,
  answer: Exclude<AgaveAnswer, { readonly kind: "lost" }>,
): LedgerJson => {
  if (answer.kind === "result") return { jsonrpc: "2.0", result: answer.result, id };
  const { code, message, data } = answer;
  return { jsonrpc: "2.0", error: { code, message, data }, id };
};

const answerAgaveCall = (ledger: AgaveView, { method, parameters }: AgaveCall): AgaveAnswer => {
  const found = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  return found?.answer(ledger, parameters) ?? agaveRefused(AGAVE_CODES.methodNotFound, "Method not found");
};

const INVALID = agaveReply(null, {
  kind: "error",
  code: AGAVE_CODES.invalidRequest,
  message: "Invalid request",
});

export const AGAVE_PARSE_ERROR = agaveReply(null, {
  kind: "error",
  code: AGAVE_CODES.parse,
  message: "Parse error",
});

const single = (ledger: AgaveView, request: unknown): Reply => {
  const call = readAgaveCall(request);
  if (call === undefined) return INVALID;
  const answer = answerAgaveCall(ledger, call);
  return answer.kind === "lost" ? undefined : agaveReply(call.id, answer);
};

/**
 * Answers a POST body: one call, or a batch.
 * @returns undefined if the reply is lost
 */
export const answerAgaveRpc = (ledger: AgaveView, request: unknown): LedgerJson => {
  if (!Array.isArray(request)) return single(ledger, request);
  if (request.length === 0 || request.length > MOST_CALLS) return INVALID;
  const replies = request.map((each: unknown) => single(ledger, each));
  return replies.includes(undefined) ? undefined : replies;
};
