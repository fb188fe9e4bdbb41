import { LaunchError, otherWork, ProcessTable, stateLayout, typedByName } from "@conclave/testbed/launch";

/**
 * The error of a command that misses something that the start of a cluster makes.
 * @param state the cluster's folder
 * @param missing a sentence about it, unless it is the cluster as a whole
 * @param otherwise another remedy than a start, as a sentence
 */
export const absentCluster = (
  state: string,
  missing = `no cluster has been started in ${state}`,
  otherwise = "",
): LaunchError => {
  const supervisor = new ProcessTable(stateLayout(state).run).supervisor();
  if (supervisor !== undefined) {
    const refusal = otherWork(supervisor);
    if (refusal !== undefined) return refusal;
    const status = typedByName("status", state);
    const shows = status === undefined ? "" : ` \`${status}\` shows what runs.`;
    return new LaunchError(`the cluster in ${state} is still starting`, `Wait until it runs.${shows}`);
  }
  const start = typedByName("up", state);
  const starts =
    start === undefined ? "Start a cluster there, or name another folder." : `Start one with ${start}.`;
  return new LaunchError(missing, [starts, ...(otherwise === "" ? [] : [otherwise])].join(" "));
};
