import { fail, type Result } from "@conclave/custody";
import type { Hurdle } from "./hurdle.ts";

/**
 * The problem of a node that is away, answers otherwise than its interface says, or refuses: it passes, as far as anybody knows.
 * @param cause ends the sentence "The chain node … does not answer: …"
 * @param hurdle why its answer does not come whole, where that is the reason
 */
export const nodeAway = (network: string, cause: string, hurdle?: Hurdle): Result<never> =>
  fail(
    "ServiceUnavailable",
    hurdle === undefined ? { network } : { network, hurdle },
    `The chain node of ${network} does not answer: ${cause}.`,
  );
