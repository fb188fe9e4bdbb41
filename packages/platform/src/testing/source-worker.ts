import type { WorkerEntry } from "../compute/pool.ts";

/** Runs the compute worker from source, so that a test never uses an older build. */
export const SOURCE_WORKER: WorkerEntry = {
  url: new URL("./source-worker.mjs", import.meta.url),
  execArgv: ["--conditions=source"],
};
