import { readDescription, stateLayout } from "@conclave/testbed/launch";
import { absentCluster } from "./absent-cluster.ts";

/** The description of the cluster of a state folder. @throws LaunchError when none was started there */
export const runningDescription = (state: string) => {
  const description = readDescription(stateLayout(state));
  if (description !== undefined) return description;
  throw absentCluster(state);
};
