import type { RecordsPlace } from "../../operator/fault-records.ts";
import { takeUpChange } from "./take-up.ts";

/**
 * `conclave roster move`: moves the keys by the change that is under way, and ends it. Rejects with a LaunchError if no change is under
 * way, or a key could not be moved; the same command then goes on.
 */
export const moveRoster = (records: RecordsPlace): Promise<void> => takeUpChange(records, true);
