import { loadRoster } from "@conclave/platform";
import { developerAccess, enterDeveloper, LaunchError, provisionFiles, stateLayout } from "@conclave/testbed";

export interface ProvisionOptions {
  readonly state: string;
  readonly signers: number;
  readonly threshold: number;
  readonly rpcUrl: string;
  readonly signerPort: number;
}

/** `conclave provision`: writes the files of a cluster that containers run. A second run changes nothing. */
export const provision = async (options: ProvisionOptions): Promise<void> => {
  const clusterId = await provisionFiles(options);
  process.stderr.write(`${clusterId} is provisioned in ${options.state}\n`);
};

/**
 * `conclave developer`: inserts the development user into the database of DATABASE_URL, and prints the credentials for API
 * calls.
 */
export const developer = async (state: string, databaseUrl: string | undefined): Promise<void> => {
  if (databaseUrl === undefined || databaseUrl === "") {
    throw new LaunchError("DATABASE_URL is not set", "Set it to the gateway's database.");
  }
  const layout = stateLayout(state);
  const { clusterId } = await loadRoster(layout.roster);
  const access = await developerAccess(layout, clusterId);
  await enterDeveloper(databaseUrl, access);
  process.stdout.write(`${JSON.stringify(access, undefined, 2)}\n`);
};
