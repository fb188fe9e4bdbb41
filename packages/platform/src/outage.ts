import { type Problem, problem } from "@conclave/custody";

/**
 * An outside thing (database, bus) does not answer now. The one failure that travels as an exception, because any
 * call may meet it and every caller does the same: answer 503 or try later.
 */
export class Outage extends Error {
  override readonly name = "Outage";
  readonly problem: Problem;

  /** @param part what is away, such as "database"; shown to callers, so it never holds an address or a secret */
  constructor(part: string, cause: unknown) {
    super(`the ${part} does not answer`, { cause });
    this.problem = problem("ServiceUnavailable", { unavailable: part });
  }
}
