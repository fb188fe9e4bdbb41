import { fail, ok, type Result } from "@conclave/custody";
import { parse } from "lossless-json";
import type { z } from "zod";
import { answerText } from "../../answer-text.ts";
import { restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type HideKeys, hidingKeys } from "../../node-url.ts";
import type { AlgorandNetwork } from "../network.ts";

/** Longest that one call to a node may take. */
const CALL_TIMEOUT_MS = 5_000;
/** The longest answer that is read, in bytes: the ids of a full block are a few megabytes. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Of a node's own words, in characters. */
const WORDS_MAX = 500;

/** What a node says to one call. */
export type Said =
  | { readonly kind: "answer"; readonly body: unknown }
  /** it has no such thing */
  | { readonly kind: "absent" }
  /** it refuses, in its own words */
  | { readonly kind: "refused"; readonly words: string }
  /** @param status of HTTP, where it answered at all */
  | { readonly kind: "away"; readonly cause: string; readonly status?: number };

/** A node's REST interface (algod, version 2). It does not try again: the callers do, with their own patience. */
export interface Algod {
  readonly network: string;
  get(path: string): Promise<Said>;
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

const wordsOf = (text: string, hide: HideKeys): string => {
  const body = parsed(text);
  const isMessage = typeof body === "object" && body !== null && "message" in body;
  const words = isMessage && typeof body.message === "string" ? body.message : text;
  return hide(words, WORDS_MAX);
};

/** Statuses by which a node, or what stands before it, says "not now". */
const NOT_NOW: readonly number[] = [401, 403, 405, 408, 425, 429];
const FIRST_SERVER_FAULT = 500;

const saidBy = async (answered: Response, hide: HideKeys): Promise<Said> => {
  const { status } = answered;
  const text = await answerText(answered, ANSWER_BYTES_MAX);
  if (text === undefined) return { kind: "away", cause: "its answer is too long" };
  if (status === 404) return { kind: "absent" };
  if (status >= FIRST_SERVER_FAULT || NOT_NOW.includes(status)) {
    return { kind: "away", cause: `it says ${status}: ${wordsOf(text, hide)}`, status };
  }
  if (!answered.ok) return { kind: "refused", words: wordsOf(text, hide) };
  const body = parsed(text);
  return body === undefined ? { kind: "away", cause: "its answer is not JSON" } : { kind: "answer", body };
};

/** @param timeoutMs longest that one call may take */
export const connectAlgod = (
  { network, algodUrl, algodToken }: AlgorandNetwork,
  timeoutMs: number = CALL_TIMEOUT_MS,
): Algod => {
  const base = algodUrl.replace(/\/+$/, "");
  const wire = restingFetch();
  const token: Record<string, string> = algodToken === undefined ? {} : { "x-algo-api-token": algodToken };
  const call = async (path: string, init: RequestInit): Promise<Said> => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const answered = await wire.fetch(`${base}${path}`, { ...init, redirect: "error", signal });
      return await saidBy(answered, hidingKeys(base, algodToken ?? ""));
    } catch (error) {
      return { kind: "away", cause: error instanceof Error ? error.message : "it cannot be reached" };
    }
  };
  return {
    network,
    get: (path) => call(path, { headers: token }),
    post: (path, body) =>
      call(path, {
        method: "POST",
        body: new Uint8Array(body),
        headers: { ...token, "content-type": "application/x-binary" },
      }),
  };
};

/** A node that is away, or talks nonsense: both pass. */
export const algodAway = (network: string, cause: string): Result<never> =>
  fail("ServiceUnavailable", { network }, `The chain node of ${network} does not answer: ${cause}.`);

/**
 * Asks for something of a form.
 * @returns undefined when the node has no such thing; ServiceUnavailable when it is away, refuses, or answers something else
 */
export const askFor = async <T>(
  algod: Algod,
  path: string,
  schema: z.ZodType<T>,
): Promise<Result<T | undefined>> => {
  const said = await algod.get(path);
  switch (said.kind) {
    case "absent":
      return ok(undefined);
    case "refused":
      return algodAway(algod.network, `it refuses ${path}: ${said.words}`);
    case "away":
      return algodAway(algod.network, said.cause);
    case "answer": {
      const form = schema.safeParse(said.body);
      return form.success ? ok(form.data) : algodAway(algod.network, `its answer to ${path} cannot be read`);
    }
  }
};

/** The same for what every node has. */
export const demandOf = async <T>(algod: Algod, path: string, schema: z.ZodType<T>): Promise<Result<T>> => {
  const found = await askFor(algod, path, schema);
  if (!found.ok) return found;
  return found.value === undefined ? algodAway(algod.network, `it knows no ${path}`) : ok(found.value);
};
