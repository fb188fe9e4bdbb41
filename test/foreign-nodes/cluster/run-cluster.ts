import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCluster } from "@conclave/testbed";
import { FAMILY_DRIVERS } from "@conclave/testbed/families";
import { absenceOf, type FoundKind } from "../find.ts";
import { tryLibraries } from "../libraries.ts";
import type { Reading, Trial } from "../table.ts";
import { type ServedNode, serveNode } from "./served-node.ts";
import { tryNode } from "./trials.ts";

const POLL_MS = 250;
/** PostgreSQL, started by root, runs as a user of its own that must be able to reach the folder. */
const FOLDER_FOR_ALL = 0o755;

/** What a cluster did with the nodes that started, what libraries read of it, and a sentence for each that is not there. */
export interface ClusterFindings {
  readonly nodes: readonly (readonly [string, string])[];
  readonly trials: readonly Trial[];
  readonly readings: readonly Reading[];
  readonly absent: readonly string[];
}

const whyNot = (found: FoundKind, cause: unknown): string =>
  `${absenceOf(found.kind).split(":")[0]}: does not start: ${cause instanceof Error ? cause.message : String(cause)}`;

/** Starts the nodes, and a cluster that serves a network with each; tries all of them side by side. */
export const tryInCluster = async (found: readonly FoundKind[]): Promise<ClusterFindings> => {
  const served: ServedNode[] = [];
  const absent: string[] = [];
  try {
    for (const one of found) {
      await serveNode(one).then(
        (node) => served.push(node),
        (cause: unknown) => absent.push(whyNot(one, cause)),
      );
    }
    const state = mkdtempSync(join(tmpdir(), "conclave-foreign-cluster-"));
    chmodSync(state, FOLDER_FOR_ALL);
    await using cluster = await createCluster({
      state,
      disposable: true,
      parameters: "INSECURE-TEST",
      signers: 3,
      threshold: 2,
      presignatures: 0,
      requestsPerMinute: 0,
      pollMs: POLL_MS,
      networks: FAMILY_DRIVERS.map(({ network }) => network),
      nodes: served.map(({ entry }) => entry),
    });
    // before anything is swallowed
    const libraries = await tryLibraries(cluster, served);
    const trials = await Promise.all(served.map((node) => tryNode(cluster.api, node)));
    return {
      nodes: served.map(({ kind, node }) => [kind.name, node.version]),
      trials: trials.flat(),
      readings: libraries.readings,
      absent: [...absent, ...libraries.absent],
    };
  } finally {
    await Promise.all(served.map((node) => node.close()));
  }
};
