import type { RecordsPlace } from "../../operator/fault-records.ts";
import type { KeyMove } from "../../operator/move-keys.ts";
import { takeUpChange } from "./take-up.ts";

/**
 * `conclave roster move`: moves the keys as the change under way requires, and ends the change. Rejects with a
 * LaunchError if no change is under way, or a key could not be moved; running the command again then continues.
 */
export const moveRoster = (records: RecordsPlace, moveKeys: KeyMove): Promise<void> =>
  takeUpChange(records, true, moveKeys);
