import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Cluster,
  type ClusterRequest,
  createCluster,
  forgetState,
  ProcessTable,
  signalProcess,
  stateLayout,
} from "@conclave/testbed";

/** PostgreSQL, started by root, runs as a user of its own that must be able to reach the folder. */
const FOLDER_FOR_ALL = 0o755;
const ENDS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const folders = new Set<string>();

/**
 * A cluster outlives the process that started it, so that a crash can be cleaned up by the next start. Nobody
 * starts a throw-away cluster again: a test run that is interrupted ends what it has started.
 */
const endEverything = (): void => {
  for (const folder of folders) {
    for (const entry of new ProcessTable(stateLayout(folder).run).alive()) {
      signalProcess(entry, "SIGCONT");
      signalProcess(entry, "SIGKILL");
    }
    forgetState(folder);
  }
  folders.clear();
};
process.on("exit", endEverything);
process.on("disconnect", endEverything);
for (const signal of ENDS) {
  process.once(signal, () => {
    endEverything();
    process.kill(process.pid, signal);
  });
}

/** A folder of its own for the state of a cluster; it is removed at the end of the test file at the latest. */
export const stateFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-integration-"));
  chmodSync(folder, FOLDER_FOR_ALL);
  folders.add(folder);
  return folder;
};

/**
 * A whole cluster of real processes on free ports, with the reduced parameters of tests unless the request says
 * otherwise, and without a stock of presignatures; nothing of it is left once it has been disposed of.
 */
export const startCluster = (request: Partial<ClusterRequest> = {}): Promise<Cluster> =>
  createCluster({
    state: stateFolder(),
    disposable: true,
    parameters: "INSECURE-TEST",
    presignatures: 0,
    requestsPerMinute: 0,
    pollMs: 100,
    ...request,
  });
