import { existsSync, readFileSync } from "node:fs";
import { organisationIdSchema } from "@conclave/custody";
import { activateKeyImport, openDatabase } from "@conclave/platform";
import { LaunchError, stateLayout } from "@conclave/testbed";

/** The database of the cluster that runs from this folder, unless the environment names one. */
const databaseOf = (state: string, environment: string | undefined): string => {
  const file = stateLayout(state).databaseUrl;
  const url = environment ?? (existsSync(file) ? readFileSync(file, "utf8").trim() : undefined);
  if (url !== undefined && url !== "") return url;
  throw new LaunchError(
    "it is not known where the cluster's database is",
    "Start the cluster with make up, or set DATABASE_URL to the gateway's database.",
  );
};

/**
 * `conclave import`: says whether clients of an organisation may bring keys of their own. Signers take none unless their
 * own operators allow it too, with CONCLAVE_KEY_IMPORT.
 *
 * Rejects with a LaunchError when there is no such organisation, or no database.
 *
 * @param state the cluster's state folder
 * @param databaseUrl as the environment has it
 */
export const activateImport = async (
  state: string,
  organisation: string,
  isActivated: boolean,
  databaseUrl: string | undefined,
): Promise<void> => {
  const orgId = organisationIdSchema.safeParse(organisation);
  if (!orgId.success) {
    throw new LaunchError(`"${organisation}" is no organisation's id`, "Such ids begin with or-.");
  }
  const database = openDatabase({ url: databaseOf(state, databaseUrl), name: "conclave-operator" });
  try {
    if (!(await activateKeyImport(database, orgId.data, isActivated))) {
      throw new LaunchError(`there is no organisation ${orgId.data}`, "The banner of make up names its own.");
    }
  } finally {
    await database.close();
  }
  const now = isActivated ? "may bring keys" : "brings no keys";
  process.stdout.write(`done: ${orgId.data} ${now}\n`);
};
