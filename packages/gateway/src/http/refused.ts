import type { Problem, Result } from "@conclave/custody";

/** A problem on its way from a handler to the application's one renderer of errors. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The value, or the way out of the handler with the problem. */
export const demand = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new Refused(result.problem);
};
