import type { Figure } from "../figure.ts";
import { median } from "../statistics.ts";
import type { ProtocolRun, StepCost } from "./protocol-run.ts";

export type Taken = (spent: StepCost) => number;

export const cpuTaken: Taken = ({ cpuMs }) => cpuMs;

/** Sums the cost of all steps, for every party. */
const totals = (steps: ProtocolRun<unknown>["steps"], taken: Taken): readonly number[] => {
  const parties = steps[0]?.length ?? 0;
  return Array.from({ length: parties }, (_, party) =>
    steps.reduce((sum, step) => {
      const spent = step[party];
      return sum + (spent === undefined ? 0 : taken(spent));
    }, 0),
  );
};

/** The cost of a whole protocol at one party: the median over all parties and runs. */
export const totalOf = (runs: readonly ProtocolRun<unknown>[], taken: Taken): number =>
  median(runs.flatMap(({ steps }) => totals(steps, taken)));

/** The cost of one step at one party: the median over all parties and runs. */
export const stepOf = (runs: readonly ProtocolRun<unknown>[], step: number, taken: Taken): number =>
  median(runs.flatMap(({ steps }) => steps[step]?.map(taken) ?? []));

/** Lists the CPU of every step. */
export const stepFigures = (
  prefix: string,
  names: readonly string[],
  runs: readonly ProtocolRun<unknown>[],
): readonly Figure[] =>
  names.map((label, step) => ({
    name: `${prefix}.step${step}`,
    unit: "ms",
    label: `  ${label}`,
    value: stepOf(runs, step, cpuTaken),
  }));
