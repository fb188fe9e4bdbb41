import { join } from "node:path";
import { clustersFolder, LaunchError } from "@conclave/testbed/launch";
import { isClusterName } from "./arguments/names.ts";

/**
 * Returns the state folder of a named cluster: .conclave/<name> in a clone. Throws a LaunchError for an invalid name.
 */
export const clusterFolder = (name: string): string => {
  if (!isClusterName(name)) {
    throw new LaunchError(
      `"${name}" is no name for a cluster`,
      "Use lower-case letters, digits and hyphens.",
    );
  }
  return join(clustersFolder(), name);
};
