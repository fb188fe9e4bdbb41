import { fail, type Result } from "@conclave/custody";

/**
 * The problem of a node that is away, answers otherwise than its interface says, or refuses: it passes, as far as anybody knows.
 * @param cause ends the sentence "The chain node … does not answer: …"
 * @param isTooLarge whether it answers, and more than goes through
 */
export const nodeAway = (network: string, cause: string, isTooLarge = false): Result<never> =>
  fail(
    "ServiceUnavailable",
    isTooLarge ? { network, isTooLarge } : { network },
    `The chain node of ${network} does not answer: ${cause}.`,
  );
