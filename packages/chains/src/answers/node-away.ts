import { fail, type Result } from "@conclave/custody";
import type { Hurdle } from "./hurdle.ts";

/**
 * The problem of a node that is unavailable, refuses, or violates its interface. A caller may try again: the problem may be
 * temporary.
 * @param cause ends the sentence "The chain node … does not answer: …"
 * @param hurdle why the node does not send its whole answer, if that is the problem
 */
export const nodeAway = (network: string, cause: string, hurdle?: Hurdle): Result<never> =>
  fail(
    "ServiceUnavailable",
    hurdle === undefined ? { network } : { network, hurdle },
    `The chain node of ${network} does not answer: ${cause}.`,
  );
