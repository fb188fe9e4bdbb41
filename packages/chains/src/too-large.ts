import { fail, type Result } from "@conclave/custody";

/** By this status what stands before a node says that an answer is larger than it hands on. */
const CONTENT_TOO_LARGE = 413;

/** An answer that is longer than is read of it. */
export const TOO_LONG = { kind: "away", cause: "its answer is too long", isTooLarge: true } as const;

export const saysTooLarge = (status: number): boolean => status === CONTENT_TOO_LARGE;

/** Whether a node answers, and its answer is larger than goes through: in smaller pieces it may tell the same. */
export const isTooLarge = (told: Result<unknown>): boolean =>
  !told.ok && told.problem.details["isTooLarge"] === true;

/** The first way to ask whose answer is not too large; else that of the last one. */
export const firstThatFits = async <T>(
  first: () => Promise<Result<T>>,
  ...others: readonly (() => Promise<Result<T>>)[]
): Promise<Result<T>> => {
  let told = await first();
  for (const way of others) {
    if (!isTooLarge(told)) return told;
    told = await way();
  }
  return told;
};

/**
 * Judges the answer about a block that was asked for in the smallest pieces that there are.
 * @returns BlockTooLarge where they are too large as well: no patience helps
 */
export const ofBlock = <T>(network: string, height: bigint, told: Result<T>): Result<T> =>
  isTooLarge(told)
    ? fail(
        "BlockTooLarge",
        { network, height: height.toString() },
        `The chain node of ${network} tells more of block ${height} than goes through.`,
      )
    : told;
