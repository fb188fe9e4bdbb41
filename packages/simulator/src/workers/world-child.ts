import { unfinishedReport, type WorldOrder, type WorldReport } from "./world-order.ts";

/** The entry point of a process that runs worlds, one after the other, each as its parent orders it. */

/** Loaded while the process listens already: the parent's first order comes before this is there, and would be lost. */
const loading = import("../world/run-world.ts");

const KB_PER_MB = 1_024;

const peakMb = (): number => Math.round(process.resourceUsage().maxRSS / KB_PER_MB);

const reportOf = async ({
  seed,
  plan,
  lostStatements,
  attack,
  isShown = false,
}: WorldOrder): Promise<WorldReport> => {
  try {
    const { runWorld } = await loading;
    const run = await runWorld(plan, String(seed), { lostStatements, ...attack, watchesTransfers: isShown });
    return { ...run, lines: run.findings.length === 0 && !isShown ? [] : run.lines, peakMb: peakMb() };
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return unfinishedReport("world", words, peakMb());
  }
};

// The parent is gone, and nobody waits for the world that runs.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", (order: WorldOrder) => {
  reportOf(order).then((report) => process.send?.(report));
});
