import { ok, type Result, reasonWords } from "@conclave/custody";
import { parse } from "lossless-json";
import type { z } from "zod";
import { answerText } from "../../answers/answer-text.ts";
import { parseExactIntegers } from "../../answers/exact-integers.ts";
import { type Hurdle, hurdleOf, TOO_LONG, type Unanswered, unanswered } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { type NodeWire, restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type HideKeys, hidingKeys } from "../../node-url.ts";
import type { TronNetwork } from "../network.ts";

/** Timeout of one call. */
const CALL_TIMEOUT_MS = 5_000;
/**
 * The longest accepted answer, in bytes, except for one transaction's logs. A block has at most 2 million bytes
 * (java-tron, Parameter.ChainConstant.BLOCK_SIZE); a node shows each byte in hex twice, and adds field names.
 */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const SECOND_MS = 1_000;
/** Most characters of a node's message. */
const WORDS_MAX = 500;

/** A node's answer to one call. */
export type TronSaid =
  | { readonly kind: "answer"; readonly body: unknown }
  /** the node does not have this method */
  | { readonly kind: "absent" }
  | Unanswered;

/** The way to read an answer. */
export interface AnswerReading {
  readonly bytesMax: number;
  /** @throws any error if the text is no JSON */
  readonly parse: (text: string) => unknown;
  /** timeout of the call, if longer than usual */
  readonly timeoutMs?: number;
}
/** Integers are read as bigint, because numbers of 64 bits exceed JavaScript's; longer ones are invalid anyway. */
const numberOf = (digits: string): bigint | number =>
  /^-?[0-9]{1,20}$/.test(digits) ? BigInt(digits) : Number(digits);
const USUAL: AnswerReading = {
  bytesMax: ANSWER_BYTES_MAX,
  parse: (text) =>
    parse(text, undefined, { parseNumber: numberOf, onDuplicateKey: ({ newValue }) => newValue }),
};
/**
 * For a block with its transactions: the usual parser, which calls a function for each number, would take seconds for
 * megabytes.
 */
export const TRANSACTIONS: AnswerReading = { ...USUAL, parse: parseExactIntegers };
/** For a whole block, which cannot be requested in pieces and takes time on a slow connection. */
export const WHOLE_BLOCK: AnswerReading = { ...TRANSACTIONS, timeoutMs: 60_000 };

/** A node's HTTP interface: each call is a POST of JSON. It does not retry; callers do, each with its own timeout. */
export interface TronHttp {
  readonly network: string;
  /** @param path such as "/wallet/getblock" */
  call(path: string, body: object, reading?: AnswerReading): Promise<TronSaid>;
}

const parsed = (text: string, reading: AnswerReading): unknown => {
  try {
    return reading.parse(text);
  } catch {
    return undefined;
  }
};

/** A node reports a failure with status 200 (java-tron, Util.printErrorMsg). */
const faultIn = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null && "Error" in body ? String(body.Error) : undefined;

/**
 * TronGrid says with status 403, or in the body, that a key or an address sends too many requests, and usually how long
 * it is suspended.
 */
const FEWER_REQUESTS = /exceeds? the frequency limit|request rate exceeded/i;
const SUSPENDED = /suspended for ([0-9]{1,6}) ?s/i;

/** @throws NodeRests if the message asks for fewer requests */
const restIfAsked = (words: string, wire: NodeWire): void => {
  if (!FEWER_REQUESTS.test(words)) return;
  const seconds = SUSPENDED.exec(words)?.[1];
  throw wire.rest(seconds === undefined ? undefined : Number(seconds) * SECOND_MS);
};

/**
 * A lite full node's answer, with status 200, to each request about a transaction, unless its
 * node.openHistoryQueryWhenLiteFN is true (java-tron, LiteFnQueryHttpFilter).
 */
const CLOSED = "this API is closed because this node is a lite fullnode";
const CLOSED_CAUSE = "it is a lite full node that tells nothing of transactions (openHistoryQueryWhenLiteFN)";

const saidBy = async (
  answered: Response,
  reading: AnswerReading,
  hide: HideKeys,
  wire: NodeWire,
): Promise<TronSaid> => {
  const { status } = answered;
  const wordsOf = (words: string): string => hide(words, WORDS_MAX);
  const text = await answerText(answered, reading.bytesMax);
  if (text === undefined) return TOO_LONG;
  if (status === 404 || status === 405) return { kind: "absent" };
  if (!answered.ok) restIfAsked(text, wire);
  if (!answered.ok) {
    return { kind: "away", cause: `it says ${status}: ${wordsOf(text)}`, hurdle: hurdleOf(status) };
  }
  if (text.trim() === CLOSED) return { kind: "away", cause: CLOSED_CAUSE };
  const body = parsed(text, reading);
  if (body === undefined) return { kind: "away", cause: "its answer is not JSON" };
  const fault = faultIn(body);
  if (fault !== undefined) restIfAsked(fault, wire);
  return fault === undefined ? { kind: "answer", body } : { kind: "away", cause: wordsOf(fault) };
};

const SOLIDITY = "/walletsolidity/";

/** @param timeoutMs timeout of one call */
export const connectTron = (
  { network, fullNodeUrl, solidityNodeUrl = fullNodeUrl, apiKey }: TronNetwork,
  timeoutMs: number = CALL_TIMEOUT_MS,
  wire: NodeWire = restingFetch(),
): TronHttp => {
  const key: Record<string, string> = apiKey === undefined ? {} : { "tron-pro-api-key": apiKey };
  return {
    network,
    call: async (path, body, reading = USUAL) => {
      const base = (path.startsWith(SOLIDITY) ? solidityNodeUrl : fullNodeUrl).replace(/\/+$/, "");
      try {
        const answered = await wire.fetch(`${base}${path}`, {
          method: "POST",
          body: JSON.stringify(body),
          headers: { ...key, "content-type": "application/json" },
          redirect: "error",
          signal: wire.timeout(reading.timeoutMs ?? timeoutMs),
        });
        return await saidBy(answered, reading, hidingKeys(base, apiKey ?? ""), wire);
      } catch (error) {
        return unanswered(error);
      }
    },
  };
};

/** As `nodeAway`, with the node's message in a sentence of ours. */
export const tronAway = (network: string, cause: string, hurdle?: Hurdle): Result<never> =>
  nodeAway(network, reasonWords(cause), hurdle);

interface Asked<T> {
  readonly path: string;
  readonly body: object;
  readonly schema: z.ZodType<T>;
  readonly reading?: AnswerReading;
}

/** Reads an object. @returns ServiceUnavailable if the node is away, or its answer does not fit the schema */
export const askTron = async <T>(
  http: TronHttp,
  { path, body, schema, reading }: Asked<T>,
): Promise<Result<T>> => {
  const said = await http.call(path, body, reading);
  switch (said.kind) {
    case "absent":
      return tronAway(http.network, `it knows no ${path}`);
    case "away":
      return tronAway(http.network, said.cause, said.hurdle);
    case "answer": {
      const form = schema.safeParse(said.body);
      return form.success ? ok(form.data) : tronAway(http.network, `its answer to ${path} cannot be read`);
    }
  }
};

const isNothing = (body: unknown): boolean =>
  typeof body === "object" && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;

/** As `askTron`, for an object that may not exist: the node then answers {}. @returns undefined if it does not exist */
export const findTron = async <T>(
  http: TronHttp,
  { path, body, schema, reading }: Asked<T>,
): Promise<Result<T | undefined>> => {
  const said = await http.call(path, body, reading);
  return said.kind === "answer" && isNothing(said.body)
    ? ok(undefined)
    : askTron({ ...http, call: async () => said }, { path, body, schema });
};

/**
 * Whole bytes. A non-capturing group: with a capturing one, the engine would keep a note for each byte of megabytes,
 * until it throws.
 */
export const HEX_BYTES = /^(?:[0-9a-fA-F]{2})*$/;

/** Text that a node gives in hex. @returns undefined if it is no hex */
export const textInHex = (digits: string): string | undefined => {
  if (!HEX_BYTES.test(digits)) return undefined;
  return Buffer.from(digits, "hex").toString("utf8").slice(0, WORDS_MAX);
};

/** A node's message, in hex or plain, made safe to show: shortened, and without control characters. */
export const nodeWords = (said: string): string =>
  (textInHex(said) ?? said.slice(0, WORDS_MAX)).replaceAll(/[\p{Cc}\uFFFD]+/gu, " ").trim();
