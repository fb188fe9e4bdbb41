import type { WorldOrder } from "./world-order.ts";
import { reportOf } from "./world-report.ts";

/** The entry point of a process that runs worlds, one after the other, each as its parent orders it. */

// The parent is gone, and nobody waits for the world that runs.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", async (order: WorldOrder) => {
  process.send?.(await reportOf(order));
});
process.send?.("listens");
