import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, createCluster } from "@conclave/testbed";

/**
 * A cluster of real parameters that a bench has for itself, without a rate limit.
 * @param name in the name of its folder, which goes with it
 * @param perSet presignatures that are kept ready for each set of signers
 */
export const startStockedCluster = (name: string, perSet: number): Promise<Cluster> =>
  createCluster({
    state: mkdtempSync(join(tmpdir(), `conclave-${name}-`)),
    disposable: true,
    presignatures: perSet,
    requestsPerMinute: 0,
    ports: "free",
  });
