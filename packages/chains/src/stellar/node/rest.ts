import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { answerText } from "../../answers/answer-text.ts";
import { hurdleOf, TOO_LONG, type Unanswered, unanswered } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { type NodeWire, restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type HideKeys, hidingKeys } from "../../node-url.ts";

/** Timeout of one call. */
const CALL_TIMEOUT_MS = 5_000;
/**
 * The longest accepted answer, in bytes: a page of a list usually has a megabyte, and a longer one is requested in
 * smaller pages.
 */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** Most characters of a node's message. */
const WORDS_MAX = 500;

/** A node's answer to one call. */
export type StellarAnswer =
  | {
      readonly kind: "said";
      readonly status: number;
      /** undefined when it is not JSON */
      readonly body: unknown;
      /** its error message, shortened */
      readonly words: string;
      /** the last ledger that the answering node knows (Latest-Ledger), if it says so */
      readonly ledger: bigint | undefined;
    }
  | Unanswered;

/**
 * A node's interface: REST (Horizon), or JSON-RPC at one path (Stellar RPC). It does not retry; callers do, each with
 * its own timeout.
 */
export interface StellarRest {
  readonly network: string;
  get(path: string): Promise<StellarAnswer>;
  /** @param form sent as an HTML form */
  post(path: string, form: Readonly<Record<string, string>>): Promise<StellarAnswer>;
  /** @param body sent as JSON */
  call(body: object): Promise<StellarAnswer>;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Horizon reports errors as problems of RFC 7807. */
const wordsOf = (text: string, body: unknown, hide: HideKeys): string => {
  const isProblem = typeof body === "object" && body !== null && "title" in body;
  return hide(String(isProblem ? body.title : text), WORDS_MAX);
};

const LEDGER = /^[1-9][0-9]{0,9}$/;

const saidBy = async (answered: Response, hide: HideKeys): Promise<StellarAnswer> => {
  const { status, headers } = answered;
  const text = await answerText(answered, ANSWER_BYTES_MAX);
  if (text === undefined) return TOO_LONG;
  const body = parsed(text);
  const ledger = headers.get("latest-ledger") ?? "";
  return {
    kind: "said",
    status,
    body,
    words: wordsOf(text, body, hide),
    ledger: LEDGER.test(ledger) ? BigInt(ledger) : undefined,
  };
};

/** @param timeoutMs timeout of one call */
export const connectStellar = (
  network: string,
  horizonUrl: string,
  timeoutMs: number = CALL_TIMEOUT_MS,
  wire: NodeWire = restingFetch(),
): StellarRest => {
  const base = horizonUrl.replace(/\/+$/, "");
  const call = async (path: string, init: RequestInit): Promise<StellarAnswer> => {
    try {
      const signal = wire.timeout(timeoutMs);
      const answered = await wire.fetch(`${base}${path}`, { ...init, redirect: "error", signal });
      return await saidBy(answered, hidingKeys(base));
    } catch (error) {
      return unanswered(error);
    }
  };
  return {
    network,
    get: (path) => call(path, { headers: { accept: "application/json" } }),
    post: (path, form) => call(path, { method: "POST", body: new URLSearchParams(form) }),
    call: (body) =>
      call("", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
};

/** An object that a node has or does not have, and the ledger for which the answer is true. */
export interface StellarFound<T> {
  /** undefined if it does not exist */
  readonly value: T | undefined;
  readonly ledger: bigint | undefined;
}

const OK = 200;
const ABSENT = 404;
/**
 * Status for a ledger that Horizon had and has forgotten (stellar/go, services/horizon/internal/render/problem,
 * BeforeHistory).
 */
const BEFORE_HISTORY = 410;
const beforeHistorySchema = z.object({
  type: z.literal("https://stellar.org/horizon-errors/before_history"),
});

/**
 * Reads an object. A ledger that Horizon has forgotten counts as one that it does not have.
 *
 * @returns ServiceUnavailable if the node is away, refuses, or its answer does not fit the schema
 */
export const askStellar = async <T>(
  rest: StellarRest,
  path: string,
  schema: z.ZodType<T>,
): Promise<Result<StellarFound<T>>> => {
  const answer = await rest.get(path);
  if (answer.kind === "away") return nodeAway(rest.network, answer.cause, answer.hurdle);
  const { status, body, words, ledger } = answer;
  // a proxy before a node may answer 404 too, but not in a node's form
  const isAbsent = status === ABSENT && body !== undefined;
  const isForgotten = status === BEFORE_HISTORY && beforeHistorySchema.safeParse(body).success;
  if (isAbsent || isForgotten) return ok({ value: undefined, ledger });
  if (status !== OK) return nodeAway(rest.network, `it says ${status}: ${words}`, hurdleOf(status));
  const form = schema.safeParse(body);
  return form.success
    ? ok({ value: form.data, ledger })
    : nodeAway(rest.network, `its answer to ${path} cannot be read`);
};

/**
 * As `askStellar`, for objects that every node has.
 *
 * @param asOf a ledger that the answering node must know. A replica behind a load balancer may lag behind the one that
 * reported the ledger; a node that does not give its last ledger counts as not lagging
 */
export const demandStellar = async <T>(
  rest: StellarRest,
  path: string,
  schema: z.ZodType<T>,
  asOf = 0n,
): Promise<Result<T>> => {
  const found = await askStellar(rest, path, schema);
  if (!found.ok) return found;
  const { ledger = asOf } = found.value;
  if (ledger < asOf)
    return nodeAway(rest.network, `its answer to ${path} is of ledger ${ledger}, before ${asOf}`);
  return found.value.value === undefined
    ? nodeAway(rest.network, `it knows no ${path}`)
    : ok(found.value.value);
};
