import { ok, type Result, reasonWords } from "@conclave/custody";
import { z } from "zod";
import { answerBytes } from "../../answers/answer-text.ts";
import { type Hurdle, hurdleOf, TOO_LONG, type Unanswered, unanswered } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { type NodeWire, restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type HideKeys, hidingKeys } from "../../node-url.ts";
import { parseInTurns } from "../../turns/node/parse-in-turns.ts";
import type { SolanaNetwork } from "../network.ts";

/** Timeout of one call. */
const CALL_TIMEOUT_MS = 10_000;
/**
 * The longest accepted answer, in bytes: a block of the main network with its balances has some ten million. There is
 * no upper bound: the transactions of a longer block are read one by one, and each has at most a megabyte.
 */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/** Depth of the lists in an answer's result, such as a block's transactions. */
const RESULT_LISTS = 3;
/** Most characters of a node's message. */
const WORDS_MAX = 500;
/**
 * Error codes of a node that temporarily cannot answer: it lags, or has not reached a slot (Agave, rpc-client-api,
 * custom_error).
 */
const NOT_NOW: readonly number[] = [-32005, -32016];

/** A node's answer to one call. */
export type SolanaReply =
  | { readonly kind: "answer"; readonly result: unknown }
  /** the node refuses, with a code, a message and further data */
  | { readonly kind: "error"; readonly code: number; readonly words: string; readonly data: unknown }
  | Unanswered;

/** A node's JSON-RPC interface. It does not retry; callers do, each with its own timeout. */
export interface SolanaRpc {
  readonly network: string;
  call(method: string, ...params: readonly unknown[]): Promise<SolanaReply>;
}

const replySchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).nullish(),
});

const parsed = async (bytes: Buffer): Promise<unknown> => {
  try {
    return await parseInTurns(bytes, RESULT_LISTS);
  } catch {
    return undefined;
  }
};

const replyIn = async (answered: Response, hide: HideKeys): Promise<SolanaReply> => {
  const bytes = await answerBytes(answered, ANSWER_BYTES_MAX);
  if (bytes === undefined) return TOO_LONG;
  const reply = replySchema.safeParse(await parsed(bytes));
  if (!reply.success) {
    const cause = answered.ok
      ? "its answer is no JSON-RPC"
      : `it says ${answered.status}: ${hide(bytes.toString(), WORDS_MAX)}`;
    return { kind: "away", cause, hurdle: hurdleOf(answered.status) };
  }
  const { error, result } = reply.data;
  if (error === undefined || error === null) return { kind: "answer", result };
  const [code, words] = [error.code, hide(error.message, WORDS_MAX)];
  return NOT_NOW.includes(code)
    ? { kind: "away", cause: words }
    : { kind: "error", code, words, data: error.data };
};

/** @param timeoutMs timeout of one call */
export const connectSolana = (
  { network, solanaUrl }: SolanaNetwork,
  timeoutMs: number = CALL_TIMEOUT_MS,
  wire: NodeWire = restingFetch(),
): SolanaRpc => ({
  network,
  call: async (method, ...params) => {
    try {
      const answered = await wire.fetch(solanaUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        redirect: "error",
        signal: wire.timeout(timeoutMs),
      });
      return await replyIn(answered, hidingKeys(solanaUrl));
    } catch (error) {
      return unanswered(error);
    }
  },
});

/** As `nodeAway`, with the node's message in a sentence of ours. */
export const solanaAway = (network: string, cause: string, hurdle?: Hurdle): Result<never> =>
  nodeAway(network, reasonWords(cause), hurdle);

/** A request to a node. */
export interface SolanaQuestion<T> {
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly schema: z.ZodType<T>;
  /** error codes that mean that the object does not exist */
  readonly absent?: readonly number[];
}

/**
 * Reads an object.
 *
 * @returns undefined if it does not exist; ServiceUnavailable if the node is away, refuses, or its answer does not fit
 * the schema
 */
export const askSolana = async <T>(
  rpc: SolanaRpc,
  { method, params = [], schema, absent = [] }: SolanaQuestion<T>,
): Promise<Result<T | undefined>> => {
  const reply = await rpc.call(method, ...params);
  switch (reply.kind) {
    case "away":
      return solanaAway(rpc.network, reply.cause, reply.hurdle);
    case "error":
      return absent.includes(reply.code)
        ? ok(undefined)
        : solanaAway(rpc.network, `it refuses ${method}: ${reply.words}`);
    case "answer": {
      if (reply.result === null) return ok(undefined);
      const form = schema.safeParse(reply.result);
      return form.success ? ok(form.data) : solanaAway(rpc.network, `its answer to ${method} cannot be read`);
    }
  }
};

/** As `askSolana`, for objects that every node has. */
export const demandSolana = async <T>(rpc: SolanaRpc, question: SolanaQuestion<T>): Promise<Result<T>> => {
  const found = await askSolana(rpc, question);
  if (!found.ok) return found;
  return found.value === undefined
    ? solanaAway(rpc.network, `it has no answer to ${question.method}`)
    : ok(found.value);
};
