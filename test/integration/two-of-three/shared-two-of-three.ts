import type { Cluster } from "@conclave/testbed";
import { afterAll, beforeAll } from "vitest";
import { startCluster } from "../throw-away-cluster.ts";

/** The cluster that all parts share, set once it has started. Each part may end processes, and restarts all of them. */
export let cluster: Cluster;

/** Starts the cluster before the tests of this file, and stops it after them. */
export const shareTwoOfThree = (): void => {
  beforeAll(async () => {
    cluster = await startCluster({ signers: 3, threshold: 2 });
  });
  afterAll(() => cluster?.stop());
};
