import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { answerText } from "../../answers/answer-text.ts";
import { hurdleOf, TOO_LONG, type Unanswered, unanswered } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { type NodeWire, restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type HideKeys, hidingKeys } from "../../node-url.ts";
import type { XrplNetwork } from "../network.ts";

/** Timeout of one call. */
const CALL_TIMEOUT_MS = 5_000;
/**
 * The longest accepted answer, in bytes. The hashes of a ledger, a transaction with its metadata, and a page of an
 * account's transactions are shorter; so are the transactions of most ledgers.
 */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Most characters of a node's message. */
const WORDS_MAX = 500;
/** Version of the interface; earlier versions had other field names. */
const API_VERSION = 2;

/** A node's answer to one call. */
export type RippledSaid =
  | { readonly kind: "answer"; readonly result: unknown }
  /** an error, with rippled's name for it, such as actNotFound */
  | { readonly kind: "error"; readonly error: string; readonly words: string }
  | Unanswered;

/** A node's JSON-RPC interface over HTTP. It does not retry; callers do, each with its own timeout. */
export interface Rippled {
  readonly network: string;
  call(method: string, params: object): Promise<RippledSaid>;
}

const errorSchema = z.object({
  status: z.literal("error").optional(),
  error: z.string(),
  error_message: z.string().optional(),
});
const replySchema = z.object({ result: z.union([errorSchema, z.looseObject({})]) });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** rippled's error for too many requests (rippled, ErrorCodes.h, rpcSLOW_DOWN). */
const SLOW_DOWN = "slowDown";

const saidBy = async (answered: Response, hide: HideKeys, wire: NodeWire): Promise<RippledSaid> => {
  const text = await answerText(answered, ANSWER_BYTES_MAX);
  if (text === undefined) return TOO_LONG;
  const { status } = answered;
  if (!answered.ok) {
    const cause = `it says ${status}: ${hide(text, WORDS_MAX)}`;
    return { kind: "away", cause, hurdle: hurdleOf(status) };
  }
  const reply = replySchema.safeParse(parsed(text));
  if (!reply.success) return { kind: "away", cause: "its answer is not one of JSON-RPC" };
  const { result } = reply.data;
  const failed = errorSchema.safeParse(result);
  if (!failed.success) return { kind: "answer", result };
  const { error, error_message: words = error } = failed.data;
  if (error === SLOW_DOWN) throw wire.rest();
  return { kind: "error", error, words: hide(words, WORDS_MAX) };
};

/** @param timeoutMs timeout of one call */
export const connectRippled = (
  { network, rippledUrl }: Pick<XrplNetwork, "network" | "rippledUrl">,
  timeoutMs: number = CALL_TIMEOUT_MS,
  wire: NodeWire = restingFetch(),
): Rippled => ({
  network,
  call: async (method, params) => {
    try {
      const answered = await wire.fetch(rippledUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ method, params: [{ ...params, api_version: API_VERSION }] }),
        redirect: "error",
        signal: wire.timeout(timeoutMs),
      });
      return await saidBy(answered, hidingKeys(rippledUrl), wire);
    } catch (error) {
      return unanswered(error);
    }
  },
});

/** A request to a node, with the schema of its answer. */
export interface RippledQuestion<T> {
  readonly method: string;
  readonly params: object;
  readonly schema: z.ZodType<T>;
  /** the error that means that the object does not exist */
  readonly absent?: string;
}

/**
 * Reads an object.
 *
 * @returns undefined if it does not exist; ServiceUnavailable if the node is away, refuses, or its answer does not fit
 * the schema
 */
export const askRippled = async <T>(
  rippled: Rippled,
  { method, params, schema, absent }: RippledQuestion<T>,
): Promise<Result<T | undefined>> => {
  const said = await rippled.call(method, params);
  switch (said.kind) {
    case "away":
      return nodeAway(rippled.network, said.cause, said.hurdle);
    case "error":
      return said.error === absent
        ? ok(undefined)
        : nodeAway(rippled.network, `it refuses ${method}: ${said.words}`);
    case "answer": {
      const form = schema.safeParse(said.result);
      return form.success
        ? ok(form.data)
        : nodeAway(rippled.network, `its answer to ${method} cannot be read`);
    }
  }
};

/** As `askRippled`, for objects that every node has. */
export const demandOfRippled = async <T>(
  rippled: Rippled,
  question: RippledQuestion<T>,
): Promise<Result<T>> => {
  const found = await askRippled(rippled, question);
  if (!found.ok) return found;
  return found.value === undefined
    ? nodeAway(rippled.network, `it knows no ${question.method}`)
    : ok(found.value);
};
