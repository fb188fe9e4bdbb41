import { beginRosterChange, type PutOut, type WantedRoster } from "@conclave/testbed/change-roster";
import { stateLayout } from "@conclave/testbed/launch";
import { UsageError } from "../../failure/usage-error.ts";
import { clusterRoster } from "../../operator/cluster-roster.ts";
import type { RecordsPlace } from "../../operator/fault-records.ts";
import type { KeyMove } from "../../operator/move-keys.ts";
import { convicted } from "./convicted.ts";
import { say, takeUpChange } from "./take-up.ts";

/** The options of `conclave roster change`. */
export interface ChangeOptions {
  readonly add: number;
  readonly remove: readonly string[];
  readonly lost: readonly string[];
  readonly cheated: readonly string[];
  /** the evidence files against cheating signers, in the order of the command's options */
  readonly evidence: readonly string[];
  readonly threshold?: number;
}

const isEmpty = ({ add, remove, lost, cheated, evidence, threshold }: ChangeOptions): boolean =>
  add === 0 &&
  [remove, lost, cheated, evidence].every(({ length }) => length === 0) &&
  threshold === undefined;

const wantedBy = async (state: string, options: ChangeOptions): Promise<WantedRoster> => {
  const { add, remove, lost, cheated, evidence, threshold } = options;
  if (cheated.length !== evidence.length) {
    throw new UsageError(
      `${cheated.length} signers are said to have cheated, with ${evidence.length} evidence files: each --cheated takes one --evidence, in the same order`,
    );
  }
  const { roster } = stateLayout(state);
  const convictions: PutOut[] = [];
  for (const [at, id] of cheated.entries()) convictions.push(await convicted(roster, id, evidence[at] ?? ""));
  const losses = lost.map((id): PutOut => ({ id, reason: { why: "lost" } }));
  return { add, remove, putOut: [...losses, ...convictions], threshold };
};

/**
 * `conclave roster change`: begins a change of the cluster's members or threshold. Where `conclave up` runs the cluster,
 * it completes the change; elsewhere it prints which processes to restart. Without options it continues a change that was
 * interrupted.
 *
 * Rejects with a LaunchError, and writes nothing, if the change cannot be made.
 */
export const changeRoster = async (
  records: RecordsPlace,
  options: ChangeOptions,
  moveKeys: KeyMove,
): Promise<void> => {
  if (!isEmpty(options)) {
    await clusterRoster(records.state);
    await beginRosterChange(records.state, await wantedBy(records.state, options));
    say("the roster has the change; keys are not moved yet");
  }
  await takeUpChange(records, false, moveKeys);
};
