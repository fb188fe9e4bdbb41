import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { answerText } from "../../answers/answer-text.ts";
import { hurdleOf, TOO_LONG, type Unanswered, unanswered } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { type NodeWire, restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type HideKeys, hidingKeys } from "../../node-url.ts";

/** Longest that one call to a node may take. */
const CALL_TIMEOUT_MS = 5_000;
/** The longest answer that is read, in bytes: a page of a list is a megabyte mostly, and is asked for in smaller ones where it is more. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** Of a node's own words, in characters. */
const WORDS_MAX = 500;

/** A node's answer to one call. */
export type StellarAnswer =
  | {
      readonly kind: "said";
      readonly status: number;
      /** undefined when it is not JSON */
      readonly body: unknown;
      /** its own words about what went wrong, cut short */
      readonly words: string;
      /** the last ledger of which this answer knows (Latest-Ledger), where it says so */
      readonly ledger: bigint | undefined;
    }
  | Unanswered;

/**
 * A node's interface: REST (Horizon), or JSON-RPC at one path (Stellar RPC). It does not try again: the callers do, with their own
 * patience.
 */
export interface StellarRest {
  readonly network: string;
  get(path: string): Promise<StellarAnswer>;
  /** @param form as of an HTML form */
  post(path: string, form: Readonly<Record<string, string>>): Promise<StellarAnswer>;
  /** @param body as JSON */
  call(body: object): Promise<StellarAnswer>;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Horizon tells what went wrong as a problem of RFC 7807. */
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

/** @param timeoutMs longest that one call may take */
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

/** Something that a node has, or has not, and as of which ledger. */
export interface StellarFound<T> {
  /** undefined when it has no such thing */
  readonly value: T | undefined;
  readonly ledger: bigint | undefined;
}

const OK = 200;
const ABSENT = 404;
/** Horizon had it, and has forgotten it (stellar/go, services/horizon/internal/render/problem, BeforeHistory). */
const BEFORE_HISTORY = 410;
const beforeHistorySchema = z.object({
  type: z.literal("https://stellar.org/horizon-errors/before_history"),
});

/**
 * Asks for something of a form. A ledger that Horizon has forgotten is one that it has not.
 * @returns ServiceUnavailable when the node is away, refuses, or answers something else
 */
export const askStellar = async <T>(
  rest: StellarRest,
  path: string,
  schema: z.ZodType<T>,
): Promise<Result<StellarFound<T>>> => {
  const answer = await rest.get(path);
  if (answer.kind === "away") return nodeAway(rest.network, answer.cause, answer.hurdle);
  const { status, body, words, ledger } = answer;
  // a proxy before a node may say 404 as well, and not in a node's form
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
 * The same for what every node has.
 * @param asOf a ledger that the answer must know of. A replica behind a load balancer may be behind the one
 * that reported the ledger; one
 *   that does not say how far it is counts as one that is not behind
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
