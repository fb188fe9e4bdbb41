import { fail, type Result } from "@conclave/custody";

/** Why an answer does not come whole, though parts of it may: it is larger than goes through, or it is not there in time. */
export type Hurdle = "too large" | "too slow";

/** A call that is not answered, or whose answer cannot be read. */
export interface Unanswered {
  readonly kind: "away";
  /** ends the sentence "The chain node … does not answer: …" */
  readonly cause: string;
  readonly hurdle?: Hurdle | undefined;
}

/** By these statuses a node, or what stands before it, says that an answer is larger than it hands on, or is not there in time. */
const HURDLES: ReadonlyMap<number, Hurdle> = new Map([
  [408, "too slow"],
  [413, "too large"],
  [504, "too slow"],
  // Cloudflare: the node behind it takes longer than it waits
  [524, "too slow"],
]);

export const hurdleOf = (status: number): Hurdle | undefined => HURDLES.get(status);

/** An answer that is longer than is read of it. */
export const TOO_LONG: Unanswered = { kind: "away", cause: "its answer is too long", hurdle: "too large" };

/** By this name `AbortSignal.timeout` tells that a call took longer than it may (DOM, section 3.2). */
const TIMEOUT = "TimeoutError";

/** Whether a call took longer than it may. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === TIMEOUT;

/** A call that ended in an error of the way to the node. */
export const unanswered = (error: unknown): Unanswered => {
  if (!(error instanceof Error)) return { kind: "away", cause: "it cannot be reached" };
  return { kind: "away", cause: error.message, hurdle: isTimeout(error) ? "too slow" : undefined };
};

/** Why an answer did not come whole; undefined of one that came, and of a node that is away. In smaller pieces it may tell the same. */
export const hurdleIn = (reported: Result<unknown>): Hurdle | undefined => {
  const hurdle = reported.ok ? undefined : reported.problem.details["hurdle"];
  return hurdle === "too large" || hurdle === "too slow" ? hurdle : undefined;
};

/** The first way to ask that meets no hurdle; else the last one. */
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
 * Judges the answer about a block that was asked for in the smallest pieces that there are.
 * @returns BlockTooLarge where they are too large as well: no patience helps. For those that are too slow it may
 */
export const ofBlock = <T>(network: string, height: bigint, reported: Result<T>): Result<T> =>
  hurdleIn(reported) === "too large"
    ? fail(
        "BlockTooLarge",
        { network, height: height.toString() },
        `The chain node of ${network} tells more of block ${height} than goes through.`,
      )
    : reported;
