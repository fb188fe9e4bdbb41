import { setTimeout as pause } from "node:timers/promises";
import type { RawAnswer } from "@conclave/testbed";

/** A gateway that can be called with the caller's token. */
export interface CalledGateway {
  send(method: string, path: string, body?: unknown): Promise<RawAnswer>;
}

const TOO_MANY = 429;
const SERVER_ERROR = 500;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** Timeout of a call, as a paused gateway never answers; the next gateway is called then. */
export const ANSWER_MS = 15_000;

/** An answer, with the number of calls. */
export interface PersistentAnswer extends RawAnswer {
  readonly calls: number;
}

const answerOf = async (ask: Promise<RawAnswer>, answerMs: number): Promise<RawAnswer | undefined> => {
  const giveUp = new AbortController();
  try {
    const late = pause(answerMs, undefined, { signal: giveUp.signal });
    // an error counts as a lost answer: connection refused or reset, or JSON truncated by a dying process
    return await Promise.race([ask.catch(() => undefined), late.catch(() => undefined)]);
  } finally {
    giveUp.abort();
  }
};

/**
 * Calls one gateway after another until one answers with anything but 429 or 5xx. If an answer is lost, the call is repeated
 * unchanged; the caller's externalId makes it the same request.
 * @param first index of the first gateway
 * @param onAnswer receives each answer, also those that are not final
 * @returns undefined when the signal ended it before
 */
export const callPersistently = async (
  gateways: readonly CalledGateway[],
  call: { readonly method: string; readonly path: string; readonly body?: unknown },
  options: {
    readonly first: number;
    readonly signal: AbortSignal;
    readonly onAnswer?: (answer: RawAnswer) => void;
    readonly answerMs?: number;
  },
): Promise<PersistentAnswer | undefined> => {
  let pauseMs = FIRST_PAUSE_MS;
  for (let calls = 1; !options.signal.aborted; calls += 1) {
    const gateway = gateways[(options.first + calls - 1) % gateways.length];
    if (gateway === undefined) throw new RangeError("there is no gateway");
    const answer = await answerOf(
      gateway.send(call.method, call.path, call.body),
      options.answerMs ?? ANSWER_MS,
    );
    if (answer !== undefined) options.onAnswer?.(answer);
    if (answer !== undefined && answer.status !== TOO_MANY && answer.status < SERVER_ERROR) {
      return { ...answer, calls };
    }
    await pause(pauseMs, undefined, { signal: options.signal }).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
  return undefined;
};
