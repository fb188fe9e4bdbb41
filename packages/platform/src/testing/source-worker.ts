import type { WorkerEntry } from "../compute/pool.ts";
import { bundledEntry } from "./bundled-entry.ts";

let bundled: WorkerEntry | undefined;

/** The compute worker, built from its current source. */
export const sourceWorker = (): WorkerEntry => {
  bundled ??= bundledEntry(new URL("../compute/worker.ts", import.meta.url));
  return bundled;
};
