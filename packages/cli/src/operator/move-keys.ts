import { LaunchError } from "@conclave/testbed/launch";
import type { RecordsPlace } from "./fault-records.ts";

/**
 * Moves every key of a cluster to the signers that hold keys by its roster. Rejects with a LaunchError if a key could not be moved; those
 * that were moved before stay so, and the next call goes on with the others.
 *
 * @param records the cluster's state folder, and where its records are
 */
export const moveKeys = async (records: RecordsPlace): Promise<void> => {
  throw new LaunchError(
    `no keys are moved yet by this version: the change of the roster in ${records.state} stays under way`,
    "The cluster signs on meanwhile. Take the change up with the version that moves keys.",
  );
};
