import { type ChaosPlan, planText } from "@conclave/chaos";
import type { Violation } from "../check/violation.ts";
import { smallerPlans } from "./smaller-plans.ts";

/** A run that may violate invariants. */
export interface JudgedRun {
  readonly findings: readonly Violation[];
}

export interface ShrinkOptions<Run extends JudgedRun> {
  /** a plan whose run violated the invariant */
  readonly plan: ChaosPlan;
  /** the name in the violations: a smaller plan is kept while its run violates it, too */
  readonly invariant: string;
  readonly run: (plan: ChaosPlan) => Promise<Run>;
  /** how many plans are run at most */
  readonly runsMax: number;
}

/** The smallest plan that was found. */
export interface ShrunkPlan<Run extends JudgedRun> {
  readonly plan: ChaosPlan;
  /** of that plan; undefined where no smaller plan violated the invariant */
  readonly run: Run | undefined;
  /** how many plans were run */
  readonly runs: number;
}

/**
 * Looks for a smaller plan that violates the same invariant: it runs the proposals for a plan one after the other, takes the first that
 * does, and begins again with that one. It ends where no proposal does, or at the bound of runs. No plan runs twice.
 */
export const shrinkPlan = async <Run extends JudgedRun>(
  options: ShrinkOptions<Run>,
): Promise<ShrunkPlan<Run>> => {
  const tried = new Set([planText(options.plan)]);
  let best: ShrunkPlan<Run> = { plan: options.plan, run: undefined, runs: 0 };
  const untried = (): ChaosPlan | undefined =>
    smallerPlans(best.plan).find((smaller) => !tried.has(planText(smaller)));
  for (let runs = 1; runs <= options.runsMax; runs += 1) {
    const plan = untried();
    if (plan === undefined) break;
    tried.add(planText(plan));
    const run = await options.run(plan);
    const isSame = run.findings.some(({ invariant }) => invariant === options.invariant);
    best = isSame ? { plan, run, runs } : { ...best, runs };
  }
  return best;
};
