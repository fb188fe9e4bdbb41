import { ok, type Result } from "@conclave/custody";
import { parse } from "lossless-json";
import { z } from "zod";
import { answerText } from "../../answers/answer-text.ts";
import { hurdleOf, TOO_LONG, type Unanswered, unanswered } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { type NodeWire, restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type HideKeys, hidingKeys } from "../../node-url.ts";
import type { ReadingTurns } from "../../turns/node/in-turns.ts";
import type { BitcoinNetwork } from "../network.ts";

/** Timeout of one call. */
const CALL_TIMEOUT_MS = 10_000;
/** Timeout of a scan, which reads the whole set of unspent outputs. */
const SCAN_TIMEOUT_MS = 120_000;
/** Timeout of a whole block, which cannot be requested in pieces and takes time on a slow connection. */
const BLOCK_TIMEOUT_MS = 60_000;
/** The longest accepted answer, in bytes: a block has at most 4 million bytes (BIP-141), and twice as many in hex. */
const ANSWER_BYTES_MAX = 24 * 1024 * 1024;
/** Most characters of a node's message. */
const WORDS_MAX = 500;
/** Error code while the node still loads its data from disk (RPC_IN_WARMUP; Bitcoin Core, rpc/protocol.h). */
const IN_WARMUP = -28;

/** A node's answer to one call. */
export type RpcReply =
  | { readonly kind: "answer"; readonly result: unknown }
  /** the node refuses, with a code and a message */
  | { readonly kind: "error"; readonly code: number; readonly words: string }
  | Unanswered;

/** A node's JSON-RPC interface (bitcoind). It does not retry; callers do, each with its own timeout. */
export interface BitcoinRpc {
  readonly network: string;
  /** of long readings */
  readonly turns: ReadingTurns;
  call(method: string, ...params: readonly unknown[]): Promise<RpcReply>;
}

const replySchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.union([z.bigint(), z.int()]), message: z.string() }).nullish(),
});

/** Reads integers as bigint and other numbers as text, because amounts are exact decimals. */
const numberOf = (digits: string): bigint | string => (/^-?[0-9]+$/.test(digits) ? BigInt(digits) : digits);

const parsed = (text: string, hasAmounts: boolean): unknown => {
  try {
    return hasAmounts ? parse(text, undefined, numberOf) : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Parses an answer. A node sends refusals with a server error status, and the error in the body. */
const replyIn = async (answered: Response, hasAmounts: boolean, hide: HideKeys): Promise<RpcReply> => {
  const text = await answerText(answered, ANSWER_BYTES_MAX);
  if (text === undefined) return TOO_LONG;
  const reply = replySchema.safeParse(parsed(text, hasAmounts));
  if (!reply.success) {
    const { ok: isOk, status } = answered;
    return isOk
      ? { kind: "away", cause: "its answer is no JSON-RPC" }
      : {
          kind: "away",
          cause: `it says ${status}: ${hide(text, WORDS_MAX)}`,
          hurdle: hurdleOf(status),
        };
  }
  const { error, result } = reply.data;
  if (error === undefined || error === null) return { kind: "answer", result };
  const [code, words] = [Number(error.code), hide(error.message, WORDS_MAX)];
  return code === IN_WARMUP
    ? { kind: "away", cause: `it is starting: ${words}` }
    : { kind: "error", code, words };
};

const authorisation = ({ bitcoindUser, bitcoindPassword }: BitcoinNetwork): Record<string, string> =>
  bitcoindUser === undefined
    ? {}
    : { authorization: `Basic ${Buffer.from(`${bitcoindUser}:${bitcoindPassword}`).toString("base64")}` };

const isOfRawBlock = (method: string, params: readonly unknown[]): boolean =>
  method === "getblock" && params[1] === 0;

const timeoutOf = (method: string, params: readonly unknown[]): number => {
  if (method === "scantxoutset") return SCAN_TIMEOUT_MS;
  return isOfRawBlock(method, params) ? BLOCK_TIMEOUT_MS : CALL_TIMEOUT_MS;
};

export const connectBitcoind = (entry: BitcoinNetwork, wire: NodeWire = restingFetch()): BitcoinRpc => {
  const headers = { "content-type": "application/json", ...authorisation(entry) };
  return {
    network: entry.network,
    turns: wire.turns,
    call: async (method, ...params) => {
      // a parser that keeps decimals exact takes seconds for a text of millions of digits
      const isRawBlock = isOfRawBlock(method, params);
      try {
        const answered = await wire.fetch(entry.bitcoindUrl, {
          method: "POST",
          headers,
          body: JSON.stringify({ jsonrpc: "1.0", id: "conclave", method, params }),
          redirect: "error",
          signal: wire.timeout(timeoutOf(method, params)),
        });
        return await replyIn(answered, !isRawBlock, hidingKeys(entry.bitcoindUrl));
      } catch (error) {
        return unanswered(error);
      }
    },
  };
};

/** An error that means that the object does not exist: a code alone, or a code with several meanings and its message. */
type Absence = number | { readonly code: number; readonly words: string };

const saysAbsent = (absent: readonly Absence[], code: number, words: string): boolean =>
  absent.some((each) =>
    typeof each === "number"
      ? each === code && !/-txindex|being indexed/.test(words)
      : each.code === code && each.words === words,
  );

/**
 * Reads an object.
 *
 * @param absent the errors that mean that it does not exist
 * @returns undefined if it does not exist; ServiceUnavailable if the node is away, refuses, or its answer does not fit
 * the schema
 */
export const askBitcoind = async <T>(
  rpc: BitcoinRpc,
  schema: z.ZodType<T>,
  absent: readonly Absence[],
  method: string,
  ...params: readonly unknown[]
): Promise<Result<T | undefined>> => {
  const reply = await rpc.call(method, ...params);
  switch (reply.kind) {
    case "away":
      return nodeAway(rpc.network, reply.cause, reply.hurdle);
    case "error":
      return saysAbsent(absent, reply.code, reply.words)
        ? ok(undefined)
        : nodeAway(rpc.network, `it refuses ${method}: ${reply.words}`);
    case "answer": {
      const form = schema.safeParse(reply.result);
      return form.success ? ok(form.data) : nodeAway(rpc.network, `its answer to ${method} cannot be read`);
    }
  }
};

/** As `askBitcoind`, for objects that every node has. */
export const demandBitcoind = async <T>(
  rpc: BitcoinRpc,
  schema: z.ZodType<T>,
  method: string,
  ...params: readonly unknown[]
): Promise<Result<T>> => {
  const found = await askBitcoind(rpc, schema, [], method, ...params);
  if (!found.ok) return found;
  return found.value === undefined ? nodeAway(rpc.network, `it knows no ${method}`) : ok(found.value);
};
