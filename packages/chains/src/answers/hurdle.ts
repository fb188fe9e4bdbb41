import { fail, type Result } from "@conclave/custody";

/**
 * Why a node does not send a whole answer, though it may send parts: the answer is larger than a limit allows, or takes too
 * long.
 */
export type Hurdle = "too large" | "too slow";

/** A call without an answer, or with an answer that cannot be read. */
export interface Unanswered {
  readonly kind: "away";
  /** ends the sentence "The chain node … does not answer: …" */
  readonly cause: string;
  readonly hurdle?: Hurdle | undefined;
}

/**
 * HTTP statuses by which a node, or a proxy before it, says that an answer is too large or takes too long.
 */
const HURDLES: ReadonlyMap<number, Hurdle> = new Map([
  [408, "too slow"],
  [413, "too large"],
  [504, "too slow"],
  // Cloudflare's status for an origin that takes longer than Cloudflare waits
  [524, "too slow"],
]);

export const hurdleOf = (status: number): Hurdle | undefined => HURDLES.get(status);

/** The node's answer is longer than this process reads. */
export const TOO_LONG: Unanswered = { kind: "away", cause: "its answer is too long", hurdle: "too large" };

/**
 * The name of the error with which `AbortSignal.timeout` ends a call that takes too long (DOM, section 3.2).
 */
const TIMEOUT = "TimeoutError";

/** Whether a call took longer than it may. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === TIMEOUT;

/** A call that ended in an error of the connection to the node. */
export const unanswered = (error: unknown): Unanswered => {
  if (!(error instanceof Error)) return { kind: "away", cause: "it cannot be reached" };
  return { kind: "away", cause: error.message, hurdle: isTimeout(error) ? "too slow" : undefined };
};

/**
 * Why the node did not send a whole answer; undefined if it sent one, or is unavailable. The caller may get the same content in
 * smaller pieces.
 */
export const hurdleIn = (reported: Result<unknown>): Hurdle | undefined => {
  const hurdle = reported.ok ? undefined : reported.problem.details["hurdle"];
  return hurdle === "too large" || hurdle === "too slow" ? hurdle : undefined;
};

/** The result of the first attempt that meets no hurdle; if all meet one, the result of the last. */
export const firstThatFits = async <T>(
  first: () => Promise<Result<T>>,
  ...others: readonly (() => Promise<Result<T>>)[]
): Promise<Result<T>> => {
  let reported = await first();
  for (const way of others) {
    if (hurdleIn(reported) === undefined) return reported;
    reported = await way();
  }
  return reported;
};

/**
 * Judges the answer for a block that was requested in the smallest pieces possible.
 * @returns BlockTooLarge if even these pieces are too large, as asking again does not help. If they are too slow, asking again
 * may help, and the answer is returned as it is
 */
export const ofBlock = <T>(network: string, height: bigint, reported: Result<T>): Result<T> =>
  hurdleIn(reported) === "too large"
    ? fail(
        "BlockTooLarge",
        { network, height: height.toString() },
        `The chain node of ${network} tells more of block ${height} than goes through.`,
      )
    : reported;
