import { type Problem, problem } from "@conclave/custody";

/**
 * An external service (database, bus) does not answer. This is the only failure that is thrown, because any call may meet it
 * and every caller handles it in the same way: answer 503 or try again later.
 */
export class Outage extends Error {
  override readonly name = "Outage";
  readonly problem: Problem;

  /**
   * @param part the service, such as "database"; shown to callers, so it never contains an address or a secret
   * @param code OutcomeUnknown if a change may have been made although its answer was lost: a caller checks before it
   * tries again
   */
  constructor(
    part: string,
    cause: unknown,
    code: "ServiceUnavailable" | "OutcomeUnknown" = "ServiceUnavailable",
  ) {
    super(`the ${part} does not answer`, { cause });
    this.problem = problem(code, { unavailable: part });
  }
}
