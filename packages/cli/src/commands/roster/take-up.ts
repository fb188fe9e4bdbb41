import { loadRoster, type Roster } from "@conclave/platform/config";
import { finishRosterChange } from "@conclave/testbed/change-roster";
import { giveOrder, LaunchError, ProcessTable, stateLayout } from "@conclave/testbed/launch";
import type { RecordsPlace } from "../../operator/fault-records.ts";
import { moveKeys } from "../../operator/move-keys.ts";
import { stepsAtTheEnd, stepsUnderWay } from "./next-steps.ts";

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Whether `conclave up` runs the cluster of this folder: then it starts processes again by itself. */
const isRunHere = (state: string): boolean =>
  new ProcessTable(stateLayout(state).run).supervisor() !== undefined;

const applyRoster = (state: string): Promise<void> =>
  giveOrder(stateLayout(state).run, { kind: "apply-roster" }, say);

/** Moves the keys, and writes the roster of afterwards. @returns the ids of the signers that left */
const moveAndFinish = async (records: RecordsPlace, before: Roster): Promise<readonly string[]> => {
  await moveKeys(records);
  const after = await finishRosterChange(records.state);
  return before.signers
    .filter(({ index }) => after.signers.every((signer) => signer.index !== index))
    .map(({ id }) => id);
};

/**
 * Goes on with the change of the roster that is under way, from wherever it was interrupted. Where `conclave up` runs the cluster, all is
 * done: processes run by the roster, keys are moved, and signers that leave are stopped. Elsewhere the operator starts processes again, and
 * this says which.
 *
 * Rejects with a LaunchError if no change is under way, or a part of it fails; the same command then goes on.
 *
 * @param mayMove false: where an operator has to restart processes first, no key is moved
 */
export const takeUpChange = async (records: RecordsPlace, mayMove: boolean): Promise<void> => {
  const { state } = records;
  const roster = await loadRoster(stateLayout(state).roster);
  const runsHere = isRunHere(state);
  if (runsHere) await applyRoster(state);
  if (roster.change === undefined) {
    if (runsHere) return say("no change of the roster is under way");
    throw new LaunchError(
      "no change of the roster is under way",
      "`conclave roster change --help` says how to begin one.",
    );
  }
  if (!runsHere && !mayMove) return stepsUnderWay(state, roster).forEach(say);
  const left = await moveAndFinish(records, roster);
  if (!runsHere) return stepsAtTheEnd(state, left).forEach(say);
  await applyRoster(state);
  say("done: the change of the roster is over");
};
