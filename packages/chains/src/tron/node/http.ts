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

/** Longest that one call to a node may take. */
const CALL_TIMEOUT_MS = 5_000;
/**
 * The longest answer that is read, in bytes, but for one transaction's logs. A block has 2 million at most (java-tron,
 * Parameter.ChainConstant.BLOCK_SIZE); a node shows each of its bytes in hex twice, and names the fields.
 */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const SECOND_MS = 1_000;
/** Of a node's own words, in characters. */
const WORDS_MAX = 500;

/** A node's answer to one call. */
export type TronSaid =
  | { readonly kind: "answer"; readonly body: unknown }
  /** it has no such call */
  | { readonly kind: "absent" }
  | Unanswered;

/** How an answer is read. */
export interface AnswerReading {
  readonly bytesMax: number;
  /** @throws anything for what is no JSON */
  readonly parse: (text: string) => unknown;
  /** longest that the call may take, where that is more than usual */
  readonly timeoutMs?: number;
}
/** Numbers of 64 bits do not fit JavaScript's own: whole ones are read as bigint, unless they are longer than any of them. */
const numberOf = (digits: string): bigint | number =>
  /^-?[0-9]{1,20}$/.test(digits) ? BigInt(digits) : Number(digits);
const USUAL: AnswerReading = {
  bytesMax: ANSWER_BYTES_MAX,
  parse: (text) =>
    parse(text, undefined, { parseNumber: numberOf, onDuplicateKey: ({ newValue }) => newValue }),
};
/** A block with its transactions: of megabytes the parser that hands over each number takes seconds. */
export const TRANSACTIONS: AnswerReading = { ...USUAL, parse: parseExactIntegers };
/** A whole block cannot be asked for in pieces: on a slow line it takes its time. */
export const WHOLE_BLOCK: AnswerReading = { ...TRANSACTIONS, timeoutMs: 60_000 };

/** A node's HTTP interface: each call is a POST of JSON. It does not try again: the callers do, with their own patience. */
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

/** A node says with status 200 that it failed (java-tron, Util.printErrorMsg). */
const faultIn = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null && "Error" in body ? String(body.Error) : undefined;

/** TronGrid says with status 403, or in the body, that a key or an address asks too often, and mostly for how long it refuses. */
const FEWER_REQUESTS = /exceeds? the frequency limit|request rate exceeded/i;
const SUSPENDED = /suspended for ([0-9]{1,6}) ?s/i;

/** @throws NodeRests for words that ask for fewer requests */
const restIfAsked = (words: string, wire: NodeWire): void => {
  if (!FEWER_REQUESTS.test(words)) return;
  const seconds = SUSPENDED.exec(words)?.[1];
  throw wire.rest(seconds === undefined ? undefined : Number(seconds) * SECOND_MS);
};

/**
 * A lite full node answers so, with status 200, to each question about any transaction, unless its node.openHistoryQueryWhenLiteFN is true
 * (java-tron, LiteFnQueryHttpFilter).
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

/** @param timeoutMs longest that one call may take */
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

/** As `nodeAway`, with the node's words in a sentence of ours. */
export const tronAway = (network: string, cause: string, hurdle?: Hurdle): Result<never> =>
  nodeAway(network, reasonWords(cause), hurdle);

interface Asked<T> {
  readonly path: string;
  readonly body: object;
  readonly schema: z.ZodType<T>;
  readonly reading?: AnswerReading;
}

/** Asks for something of a form. @returns ServiceUnavailable when the node is away, or answers something else */
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

/** The same of what a node may not have: it answers {} then. @returns undefined when it has none */
export const findTron = async <T>(
  http: TronHttp,
  { path, body, schema, reading }: Asked<T>,
): Promise<Result<T | undefined>> => {
  const said = await http.call(path, body, reading);
  return said.kind === "answer" && isNothing(said.body)
    ? ok(undefined)
    : askTron({ ...http, call: async () => said }, { path, body, schema });
};

/** Whole bytes. The group captures nothing: of each byte of megabytes that is captured the expression keeps a note, until it throws. */
export const HEX_BYTES = /^(?:[0-9a-fA-F]{2})*$/;

/** Text that a node writes in hex. @returns undefined when it is none */
export const textInHex = (digits: string): string | undefined => {
  if (!HEX_BYTES.test(digits)) return undefined;
  return Buffer.from(digits, "hex").toString("utf8").slice(0, WORDS_MAX);
};

/** A node's own words, in hex or plain, as they may be shown: of a bounded length, and without what is no text. */
export const nodeWords = (said: string): string =>
  (textInHex(said) ?? said.slice(0, WORDS_MAX)).replaceAll(/[\p{Cc}\uFFFD]+/gu, " ").trim();
