import { FAMILY_DRIVERS } from "@conclave/testbed/families";
import { startCluster } from "../../integration/throw-away-cluster.ts";
import type { FoundKind } from "../find.ts";
import { tryLibraries } from "../libraries.ts";
import type { Reading, Trial } from "../table.ts";
import { type ServedNode, serveNode } from "./served-node.ts";
import { tryNode } from "./trials.ts";

const POLL_MS = 250;

/** The results of a cluster's run with the nodes that started, and a sentence for each missing node or library. */
export interface ClusterFindings {
  readonly nodes: readonly (readonly [string, string])[];
  readonly trials: readonly Trial[];
  readonly readings: readonly Reading[];
  readonly absent: readonly string[];
}

const whyNot = (found: FoundKind, cause: unknown): string =>
  `${found.kind.name}: does not start: ${cause instanceof Error ? cause.message : String(cause)}`;

/** Starts the nodes, and a cluster that serves a network with each; tests all of them concurrently. */
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
    await using cluster = await startCluster({
      signers: 3,
      threshold: 2,
      pollMs: POLL_MS,
      networks: FAMILY_DRIVERS.map(({ network }) => network),
      nodes: served.map(({ entry }) => entry),
    });
    // before any trial makes a node's front swallow transactions
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
