import { ok, type Result } from "@conclave/custody";
import { decode, IntMode } from "algorand-msgpack";
import { parse } from "lossless-json";
import { z } from "zod";
import { answerBytes } from "../../answers/answer-text.ts";
import { hurdleOf, TOO_LONG, type Unanswered, unanswered } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { type NodeWire, restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type HideKeys, hidingKeys } from "../../node-url.ts";
import type { AlgorandNetwork } from "../network.ts";

/** Longest that one call to a node may take. */
const CALL_TIMEOUT_MS = 5_000;
/** The same of a whole block, which cannot be asked for in pieces: on a slow line it takes its time. */
const BLOCK_TIMEOUT_MS = 60_000;
/**
 * The longest answer that is read, in bytes: the transactions of a block have 5 MiB at most in msgpack (go-algorand, config/consensus.go,
 * MaxTxnBytesPerBlock), beside its header and its certificate, and their ids two.
 */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Of a node's own words, in characters. */
const WORDS_MAX = 500;

/** A node's answer to one call. */
export type Said =
  | { readonly kind: "answer"; readonly body: unknown }
  /** it has no such thing */
  | { readonly kind: "absent" }
  /** it refuses, in its own words */
  | { readonly kind: "refused"; readonly words: string }
  /** @param status of HTTP, where it answered at all */
  | (Unanswered & { readonly status?: number });

/** A node's REST interface (algod, version 2). It does not try again: the callers do, with their own patience. */
export interface Algod {
  readonly network: string;
  get(path: string): Promise<Said>;
  /** Asks for a block in msgpack. Its maps are read as `Map`: their keys may be of any type. */
  getMsgpack(path: string): Promise<Said>;
  post(path: string, body: Uint8Array): Promise<Said>;
}

/** Numbers of 64 bits do not fit JavaScript's own: whole ones are read as bigint. */
const numberOf = (digits: string): bigint | number =>
  /^-?[0-9]+$/.test(digits) ? BigInt(digits) : Number(digits);

const parsed = (text: string): unknown => {
  try {
    // a node writes keys of applications that are no UTF-8 alike (go-algorand#6128): none of them is read here
    return parse(text, undefined, { parseNumber: numberOf, onDuplicateKey: ({ newValue }) => newValue });
  } catch {
    return undefined;
  }
};

const unpacked = (bytes: Uint8Array): unknown => {
  try {
    return decode(bytes, { intMode: IntMode.BIGINT, useMap: true });
  } catch {
    return undefined;
  }
};

/** How an answer is written. */
interface AnswerForm {
  readonly name: string;
  /** @returns undefined of what is none */
  readonly read: (bytes: Buffer) => unknown;
}
const JSON_FORM: AnswerForm = { name: "JSON", read: (bytes) => parsed(bytes.toString("utf8")) };
const MSGPACK_FORM: AnswerForm = { name: "msgpack", read: unpacked };

/** A node reports errors in JSON; a proxy before it does not. */
const errorSchema = z.object({ message: z.string() });
const ownWords = (text: string): string | undefined => errorSchema.safeParse(parsed(text)).data?.message;

const wordsOf = (text: string, hide: HideKeys): string => hide(ownWords(text) ?? text, WORDS_MAX);

/** Statuses by which a node, or what stands before it, says "not now". */
const NOT_NOW: readonly number[] = [401, 403, 404, 405, 408, 425, 429];
const FIRST_SERVER_FAULT = 500;

const saidBy = async (answered: Response, form: AnswerForm, hide: HideKeys): Promise<Said> => {
  const { status } = answered;
  const bytes = await answerBytes(answered, ANSWER_BYTES_MAX);
  if (bytes === undefined) return TOO_LONG;
  const text = answered.ok ? "" : bytes.toString("utf8");
  // a proxy before a node may say 404 as well, and not in a node's form
  if (status === 404 && ownWords(text) !== undefined) return { kind: "absent" };
  const hurdle = hurdleOf(status);
  if (hurdle !== undefined || status >= FIRST_SERVER_FAULT || NOT_NOW.includes(status)) {
    return { kind: "away", cause: `it says ${status}: ${wordsOf(text, hide)}`, status, hurdle };
  }
  if (!answered.ok) return { kind: "refused", words: wordsOf(text, hide) };
  const body = form.read(bytes);
  return body === undefined
    ? { kind: "away", cause: `its answer is not ${form.name}` }
    : { kind: "answer", body };
};

/** @param timeoutMs longest that one call may take */
export const connectAlgod = (
  { network, algodUrl, algodToken }: AlgorandNetwork,
  timeoutMs: number = CALL_TIMEOUT_MS,
  wire: NodeWire = restingFetch(),
): Algod => {
  const base = algodUrl.replace(/\/+$/, "");
  const token: Record<string, string> = algodToken === undefined ? {} : { "x-algo-api-token": algodToken };
  const call = async (
    path: string,
    init: RequestInit,
    form: AnswerForm = JSON_FORM,
    mostMs: number = timeoutMs,
  ): Promise<Said> => {
    try {
      const signal = wire.timeout(mostMs);
      const answered = await wire.fetch(`${base}${path}`, { ...init, redirect: "error", signal });
      return await saidBy(answered, form, hidingKeys(base, algodToken ?? ""));
    } catch (error) {
      return unanswered(error);
    }
  };
  return {
    network,
    get: (path) => call(path, { headers: token }),
    getMsgpack: (path) => call(path, { headers: token }, MSGPACK_FORM, BLOCK_TIMEOUT_MS),
    post: (path, body) =>
      call(path, {
        method: "POST",
        body: new Uint8Array(body),
        headers: { ...token, "content-type": "application/x-binary" },
      }),
  };
};

/** Reads what a node says to a question. */
const readAs = <T>(algod: Algod, path: string, schema: z.ZodType<T>, said: Said): Result<T | undefined> => {
  switch (said.kind) {
    case "absent":
      return ok(undefined);
    case "refused":
      return nodeAway(algod.network, `it refuses ${path}: ${said.words}`);
    case "away":
      return nodeAway(algod.network, said.cause, said.hurdle);
    case "answer": {
      const form = schema.safeParse(said.body);
      return form.success ? ok(form.data) : nodeAway(algod.network, `its answer to ${path} cannot be read`);
    }
  }
};

/**
 * Asks for something of a form.
 * @returns undefined when the node has no such thing; ServiceUnavailable when it is away, refuses, or answers something else
 */
export const askFor = async <T>(
  algod: Algod,
  path: string,
  schema: z.ZodType<T>,
): Promise<Result<T | undefined>> => readAs(algod, path, schema, await algod.get(path));

/** The same for an answer in msgpack. */
export const askForMsgpack = async <T>(
  algod: Algod,
  path: string,
  schema: z.ZodType<T>,
): Promise<Result<T | undefined>> => readAs(algod, path, schema, await algod.getMsgpack(path));

/** The same for what every node has. */
export const demandOf = async <T>(algod: Algod, path: string, schema: z.ZodType<T>): Promise<Result<T>> => {
  const found = await askFor(algod, path, schema);
  if (!found.ok) return found;
  return found.value === undefined ? nodeAway(algod.network, `it knows no ${path}`) : ok(found.value);
};
