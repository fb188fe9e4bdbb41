import type { WorldOrder, WorldReport } from "../workers/world-order.ts";
import type { RunOrder } from "../workers/world-pool.ts";
import { type CampaignSum, NO_WORLDS, withWorld } from "./campaign-sum.ts";

/** A campaign begins no further world once so many have failed: their files are for people. */
const FAILED_MAX = 20;

/** A world that has ended. */
export interface EndedWorld {
  readonly order: WorldOrder;
  readonly report: WorldReport;
}

export interface CampaignOptions {
  /** of the first world; each further one has the next number */
  readonly firstSeed: number;
  /** how many worlds run at a time */
  readonly cores: number;
  /** whether another world is to begin after so many have begun */
  readonly goesOn: (begun: number) => boolean;
  readonly orderOf: (seed: number) => WorldOrder;
  readonly run: RunOrder;
  /** hears of each world as it ends; with several cores, not in the order of the seeds */
  readonly ended: (world: EndedWorld, sum: CampaignSum) => void;
}

/** Runs worlds, some at a time, each with the next seed. The report of a seed does not depend on the number of cores. */
export const runCampaign = async (options: CampaignOptions): Promise<CampaignSum> => {
  let sum = NO_WORLDS;
  let begun = 0;
  const runOneByOne = async (): Promise<void> => {
    while (sum.failed < FAILED_MAX && options.goesOn(begun)) {
      const order = options.orderOf(options.firstSeed + begun);
      begun += 1;
      const report = await options.run(order);
      sum = withWorld(sum, report);
      options.ended({ order, report }, sum);
    }
  };
  await Promise.all(Array.from({ length: options.cores }, runOneByOne));
  return sum;
};
