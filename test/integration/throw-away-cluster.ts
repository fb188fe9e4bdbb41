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

/** PostgreSQL, if started by root, runs as a separate user, which must be able to read the folder. */
const FOLDER_FOR_ALL = 0o755;
const ENDS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const folders = new Set<string>();

/**
 * Ends all processes of these clusters. A cluster's processes outlive the process that started them, so that its next start can
 * clean up after a crash; but a throw-away cluster has no next start, so an interrupted test run must end them.
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

/** A new folder for a cluster's state; removed at the end of the test file at the latest. */
export const stateFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-integration-"));
  chmodSync(folder, FOLDER_FOR_ALL);
  folders.add(folder);
  return folder;
};

/**
 * A whole cluster of real processes on free ports. By default it has the reduced test parameters and no stock of presignatures.
 * After its disposal nothing of it is left.
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
