import { existsSync } from "node:fs";
import { loadRoster, type Roster } from "@conclave/platform/config";
import { stateLayout } from "@conclave/testbed/launch";
import { absentCluster } from "../absent-cluster.ts";

/** The roster of the cluster of a state folder. Rejects with a LaunchError if there is no cluster, or no readable roster. */
export const clusterRoster = async (state: string): Promise<Roster> => {
  const { roster } = stateLayout(state);
  if (!existsSync(roster)) throw absentCluster(state, `there is no cluster in ${state}`);
  return loadRoster(roster);
};
