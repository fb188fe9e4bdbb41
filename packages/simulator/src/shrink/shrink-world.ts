import { planText } from "@conclave/chaos";
import type { EndedWorld } from "../campaign/campaign.ts";
import type { RunOrder } from "../workers/world-pool.ts";
import { shrinkPlan } from "./shrink-plan.ts";

/** Of a world that does not end, each run would last ten minutes. */
const NEVER_ENDING = "time";

/**
 * Looks for a smaller plan with which a failed world violates the same invariant, the first of its findings, by the same seed.
 * @param runsMax how many worlds are run at most
 * @returns the world with the smallest plan that was found; undefined where there is none
 */
export const shrinkWorld = async (
  { order, report }: EndedWorld,
  run: RunOrder,
  runsMax: number,
): Promise<EndedWorld | undefined> => {
  const [first] = report.findings;
  if (first === undefined || first.invariant === NEVER_ENDING) return undefined;
  const shrunk = await shrinkPlan({
    plan: order.plan,
    invariant: first.invariant,
    run: (plan) => run({ ...order, plan }),
    runsMax,
  });
  return shrunk.run && { order: { ...order, plan: shrunk.plan }, report: shrunk.run };
};

/** A plan of a failed world as a file: the command that repeats it, the first finding, and the plan. */
export const failedPlanText = ({ order, report }: EndedWorld, command: string): string => {
  const [first] = report.findings;
  const found = first === undefined ? "" : `${first.invariant}: ${first.words}`;
  // a comment ends with its line
  const comments = [command, ...found.split("\n")].map((line) => `# ${line}`.trimEnd());
  return [...comments, planText(order.plan)].join("\n");
};
