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

/** Timeout of one call. */
const CALL_TIMEOUT_MS = 5_000;
/** Timeout of a whole block, which cannot be requested in pieces and takes time on a slow connection. */
const BLOCK_TIMEOUT_MS = 60_000;
/**
 * The longest accepted answer, in bytes: a block has at most 5 MiB of transactions in msgpack (go-algorand,
 * config/consensus.go, MaxTxnBytesPerBlock), plus its header and its certificate, and their ids have 2 MiB.
 */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Most characters of a node's message. */
const WORDS_MAX = 500;

/** A node's answer to one call. */
export type Said =
  | { readonly kind: "answer"; readonly body: unknown }
  /** the node has no such object */
  | { readonly kind: "absent" }
  /** the node refuses, with a message */
  | { readonly kind: "refused"; readonly words: string }
  /** @param status HTTP status, if it answered */
  | (Unanswered & { readonly status?: number });

/** A node's REST interface (algod, version 2). It does not retry; callers do, each with its own timeout. */
export interface Algod {
  readonly network: string;
  get(path: string): Promise<Said>;
  /** Reads msgpack, as for blocks. Maps are decoded to `Map`, because their keys may have any type. */
  getMsgpack(path: string): Promise<Said>;
  post(path: string, body: Uint8Array): Promise<Said>;
}

/** Integers are read as bigint, because numbers of 64 bits exceed JavaScript's. */
const numberOf = (digits: string): bigint | number =>
  /^-?[0-9]+$/.test(digits) ? BigInt(digits) : Number(digits);

const parsed = (text: string): unknown => {
  try {
    // a node writes different keys of applications alike if they are not UTF-8 (go-algorand#6128); no such key is
    // needed here
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

/** The encoding of an answer. */
interface AnswerForm {
  readonly name: string;
  /** @returns undefined if the bytes are not of this encoding */
  readonly read: (bytes: Buffer) => unknown;
}
const JSON_FORM: AnswerForm = { name: "JSON", read: (bytes) => parsed(bytes.toString("utf8")) };
const MSGPACK_FORM: AnswerForm = { name: "msgpack", read: unpacked };

/** A node reports errors in JSON; a proxy before it does not. */
const errorSchema = z.object({ message: z.string() });
const ownWords = (text: string): string | undefined => errorSchema.safeParse(parsed(text)).data?.message;

const wordsOf = (text: string, hide: HideKeys): string => hide(ownWords(text) ?? text, WORDS_MAX);

/** Statuses by which a node, or a proxy before it, says that it temporarily cannot answer. */
const NOT_NOW: readonly number[] = [401, 403, 404, 405, 408, 425, 429];
const FIRST_SERVER_FAULT = 500;

const saidBy = async (answered: Response, form: AnswerForm, hide: HideKeys): Promise<Said> => {
  const { status } = answered;
  const bytes = await answerBytes(answered, ANSWER_BYTES_MAX);
  if (bytes === undefined) return TOO_LONG;
  const text = answered.ok ? "" : bytes.toString("utf8");
  // a proxy before a node may answer 404 too, but not in a node's form
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

/** @param timeoutMs timeout of one call */
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

/** Parses a node's answer. */
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
 * Reads an object.
 *
 * @returns undefined if the node has no such object; ServiceUnavailable if it is away, refuses, or its answer does not
 * fit the schema
 */
export const askFor = async <T>(
  algod: Algod,
  path: string,
  schema: z.ZodType<T>,
): Promise<Result<T | undefined>> => readAs(algod, path, schema, await algod.get(path));

/** As `askFor`, in msgpack. */
export const askForMsgpack = async <T>(
  algod: Algod,
  path: string,
  schema: z.ZodType<T>,
): Promise<Result<T | undefined>> => readAs(algod, path, schema, await algod.getMsgpack(path));

/** As `askFor`, for objects that every node has. */
export const demandOf = async <T>(algod: Algod, path: string, schema: z.ZodType<T>): Promise<Result<T>> => {
  const found = await askFor(algod, path, schema);
  if (!found.ok) return found;
  return found.value === undefined ? nodeAway(algod.network, `it knows no ${path}`) : ok(found.value);
};
