import { runWorld } from "../world/run-world.ts";
import { unfinishedReport, type WorldOrder, type WorldReport } from "./world-order.ts";

const KB_PER_MB = 1_024;

const peakMb = (): number => Math.round(process.resourceUsage().maxRSS / KB_PER_MB);

/** Runs a world in this process, and reports it. Never rejects. */
export const reportOf = async ({
  seed,
  plan,
  lostStatements,
  attack,
  isShown = false,
}: WorldOrder): Promise<WorldReport> => {
  try {
    const run = await runWorld(plan, String(seed), { lostStatements, ...attack, watchesTransfers: isShown });
    return { ...run, lines: run.findings.length === 0 && !isShown ? [] : run.lines, peakMb: peakMb() };
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return unfinishedReport("world", words, peakMb());
  }
};
