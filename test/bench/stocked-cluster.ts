import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, createCluster } from "@conclave/testbed";

/**
 * A cluster with production parameters for one bench, without a rate limit.
 * @param name part of the name of its folder, which is removed with it
 * @param perSet presignatures to keep ready for each set of signers
 */
export const startStockedCluster = (name: string, perSet: number): Promise<Cluster> =>
  createCluster({
    state: mkdtempSync(join(tmpdir(), `conclave-${name}-`)),
    disposable: true,
    presignatures: perSet,
    requestsPerMinute: 0,
    ports: "free",
  });
