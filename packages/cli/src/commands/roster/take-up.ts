import type { Roster } from "@conclave/platform/config";
import { finishRosterChange } from "@conclave/testbed/change-roster";
import { giveOrder, LaunchError, ProcessTable, stateLayout } from "@conclave/testbed/launch";
import { clusterRoster } from "../../operator/cluster-roster.ts";
import type { RecordsPlace } from "../../operator/fault-records.ts";
import type { KeyMove } from "../../operator/move-keys.ts";
import { stepsAtTheEnd, stepsUnderWay } from "./next-steps.ts";

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Whether `conclave up` runs the cluster of this folder; it restarts processes by itself. */
const isRunHere = (state: string): boolean =>
  new ProcessTable(stateLayout(state).run).supervisor() !== undefined;

const applyRoster = (state: string): Promise<void> =>
  giveOrder(stateLayout(state).run, { kind: "apply-roster" }, say);

/** Moves the keys, and writes the roster as it is after the change. @returns the ids of the signers that left */
const moveAndFinish = async (
  records: RecordsPlace,
  before: Roster,
  moveKeys: KeyMove,
): Promise<readonly string[]> => {
  await moveKeys(records);
  const after = await finishRosterChange(records.state);
  return before.signers
    .filter(({ index }) => after.signers.every((signer) => signer.index !== index))
    .map(({ id }) => id);
};

/**
 * Continues the change of the roster that is under way, wherever it was interrupted. Where `conclave up` runs the
 * cluster, this does everything: it restarts processes with the new roster, moves keys, and stops signers that leave.
 * Elsewhere the operator restarts processes, and this prints which.
 *
 * Rejects with a LaunchError if no change is under way, or a part of it fails; running the command again then continues.
 *
 * @param mayMove false: if an operator has to restart processes first, no key is moved
 */
export const takeUpChange = async (
  records: RecordsPlace,
  mayMove: boolean,
  moveKeys: KeyMove,
): Promise<void> => {
  const { state } = records;
  const roster = await clusterRoster(state);
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
  const left = await moveAndFinish(records, roster, moveKeys);
  if (!runsHere) return stepsAtTheEnd(state, left).forEach(say);
  await applyRoster(state);
  say("done: the change of the roster is over");
};
