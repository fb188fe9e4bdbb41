import type { TraceLine } from "../trace/trace.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

/** The sessions of a run for people: a line for each, at its last event, which names the transfer that it signs. */
export const sessionLines = ({ asked, parts: { watch } }: SimulatedCluster): readonly TraceLine[] => {
  const titles = new Map<string, string>(
    asked.flatMap(({ ids, title }) => [...ids].map((id) => [id, title] as const)),
  );
  return watch.sessions.lines((signer, digest) => {
    const requestId = watch.checks.requestOf(signer, digest);
    return requestId === undefined ? undefined : (titles.get(requestId) ?? requestId);
  });
};
