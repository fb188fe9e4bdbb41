import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, type ClusterRequest, createCluster } from "@conclave/testbed";

/** PostgreSQL, started by root, runs as a user of its own that must be able to reach the folder. */
const FOLDER_FOR_ALL = 0o755;

/** A folder of its own for the state of a cluster. */
export const stateFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-integration-"));
  chmodSync(folder, FOLDER_FOR_ALL);
  return folder;
};

/**
 * A whole cluster of real processes on free ports, with the reduced parameters of tests unless the request says
 * otherwise; nothing of it is left once it has been disposed of.
 */
export const startCluster = (request: Partial<ClusterRequest> = {}): Promise<Cluster> =>
  createCluster({ state: stateFolder(), disposable: true, parameters: "INSECURE-TEST", ...request });
