import { existsSync, readFileSync } from "node:fs";
import { ConfigurationError, withDatabasePassword, withSecretFiles } from "@conclave/platform/config";
import { LaunchError, stateLayout } from "@conclave/testbed/launch";
import { absentCluster } from "../absent-cluster.ts";

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
  throw absentCluster(
    state,
    "it is not known where the cluster's database is",
    "Or set DATABASE_URL to the gateway's database.",
  );
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The database URL from the environment: DATABASE_URL, with the password in DATABASE_PASSWORD or DATABASE_PASSWORD_FILE
 * if one is set.
 * @throws LaunchError for a file that cannot be read
 */
export const databaseUrlIn = (environment: Environment): string | undefined => {
  const { DATABASE_URL, DATABASE_PASSWORD } = secretsOf(environment);
  return DATABASE_URL ? withDatabasePassword({ DATABASE_URL, DATABASE_PASSWORD }) : undefined;
};

const secretsOf = (environment: Environment): Environment => {
  try {
    return withSecretFiles(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new LaunchError(error.message, "The file holds the password and nothing else.");
  }
};
