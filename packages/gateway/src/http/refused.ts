import type { Problem, Result } from "@conclave/custody";

/** Carries a problem from a handler to the renderer of errors. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Returns the value, or throws the problem out of the handler. */
export const demand = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new Refused(result.problem);
};
