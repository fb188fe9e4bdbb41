import { existsSync, readFileSync } from "node:fs";
import { LaunchError, stateLayout } from "@conclave/testbed/launch";

/**
 * The URL of the database of the cluster that runs in this folder, unless the environment sets one.
 *
 * Throws a LaunchError if neither is known.
 *
 * @param state the cluster's state folder
 * @param environment DATABASE_URL, if set
 */
export const databaseUrlOf = (state: string, environment: string | undefined): string => {
  const file = stateLayout(state).databaseUrl;
  const url = environment || (existsSync(file) ? readFileSync(file, "utf8").trim() : undefined);
  if (url !== undefined && url !== "") return url;
  throw new LaunchError(
    "it is not known where the cluster's database is",
    "Start the cluster with make up, or set DATABASE_URL to the gateway's database.",
  );
};
