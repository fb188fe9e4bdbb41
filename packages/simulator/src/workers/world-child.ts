import type { WorldOrder } from "./world-order.ts";

/** The entry point of a process that runs worlds, one after the other, each as its parent orders it. */

/** Loaded while the process listens already: the parent's first order comes before this is there, and would be lost. */
const loading = import("./world-report.ts");

// The parent is gone, and nobody waits for the world that runs.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", async (order: WorldOrder) => {
  const { reportOf } = await loading;
  process.send?.(await reportOf(order));
});
