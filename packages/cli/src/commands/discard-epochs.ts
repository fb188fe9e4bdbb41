import { discardPendingEpochs } from "../operator/discard-epochs.ts";
import type { RecordsPlace } from "../operator/fault-records.ts";
import { Operator } from "../operator/operator.ts";

/**
 * `conclave discard-epochs`: has signers erase the new epochs that failed attempts left, where t signers state that they
 * hold nothing of the epoch. An epoch that may have become active at some signer stays.
 *
 * Rejects with a LaunchError if a signer does not answer.
 *
 * @param records the cluster's state folder, and where its records are
 */
export const discardEpochs = async (records: RecordsPlace): Promise<void> => {
  using operator = await Operator.enter(records);
  await operator.allLive();
  const lines = await discardPendingEpochs(operator, await operator.hear());
  process.stdout.write(lines.length === 0 ? "nothing waits to be discarded\n" : `${lines.join("\n")}\n`);
};
