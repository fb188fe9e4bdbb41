import { type ChaosPlan, planText } from "@conclave/chaos";
import type { Violation } from "../check/violation.ts";
import type { TraceLine } from "../trace/trace.ts";
import { runWorld, type WorldRun } from "../world/run-world.ts";

/** A world that violated an invariant. */
export interface FailedWorld {
  readonly seed: number;
  readonly plan: ChaosPlan;
  readonly findings: readonly Violation[];
  readonly lines: readonly TraceLine[];
}

/** The sums of a campaign. */
export interface CampaignSum {
  readonly worlds: number;
  readonly transfers: number;
  readonly steps: number;
  /** virtual milliseconds */
  readonly lastedMs: number;
  readonly faults: number;
  readonly failed: readonly FailedWorld[];
}

export interface CampaignOptions {
  /** of the first world; each further one has the next number */
  readonly firstSeed: number;
  /** whether another world is to run after so many */
  readonly goesOn: (worlds: number) => boolean;
  readonly planOf: (seed: number) => ChaosPlan;
  /** hears of each world as it ends */
  readonly ended: (seed: number, run: WorldRun, sum: CampaignSum) => void;
}

/** Runs worlds one after the other. */
export const runCampaign = async (options: CampaignOptions): Promise<CampaignSum> => {
  let sum: CampaignSum = { worlds: 0, transfers: 0, steps: 0, lastedMs: 0, faults: 0, failed: [] };
  for (let seed = options.firstSeed; options.goesOn(sum.worlds); seed += 1) {
    const plan = options.planOf(seed);
    const run = await runWorld(plan, String(seed));
    const { findings, lines, outcomes } = run;
    sum = {
      worlds: sum.worlds + 1,
      transfers: sum.transfers + run.transfers,
      steps: sum.steps + run.steps,
      lastedMs: sum.lastedMs + run.lastedMs,
      faults: sum.faults + outcomes.filter(({ beganMs }) => beganMs !== undefined).length,
      failed: findings.length === 0 ? sum.failed : [...sum.failed, { seed, plan, findings, lines }],
    };
    options.ended(seed, run, sum);
  }
  return sum;
};

const US_PER_MS = 1_000;
const TIME_DIGITS = 11;
const NAME_CHARACTERS = 16;

/** The plan, the findings and the events of a failed world, for people. */
export const failureText = ({ seed, plan, findings, lines }: FailedWorld): string => {
  const events = lines.map(({ atUs, process, words }) => {
    const at = (atUs / US_PER_MS).toFixed(US_PER_MS.toString().length - 1).padStart(TIME_DIGITS);
    return `${at} ms  ${process.padEnd(NAME_CHARACTERS)}${words}`;
  });
  const violated = findings.map(({ invariant, words }) => `${invariant}: ${words}`);
  return [`# seed ${seed}`, planText(plan), ...violated, "", ...events, ""].join("\n");
};
