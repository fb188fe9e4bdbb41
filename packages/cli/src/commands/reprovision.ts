import { lowestThreshold } from "@conclave/platform/config";
import { giveOrder, LaunchError, ProcessTable, stateLayout } from "@conclave/testbed/launch";
import type { RecordsPlace } from "../operator/fault-records.ts";
import { auxiliaryAt, renewAuxiliary, reshareKey } from "../operator/key-change.ts";
import { keyStandings } from "../operator/key-standing.ts";
import { heldBySigners, Operator } from "../operator/operator.ts";
import { nextStopRequest } from "../stop-request.ts";

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Starts the signer's process where this machine runs the cluster, and the process has ended. */
const startSigner = async ({ state }: RecordsPlace, name: string): Promise<void> => {
  const { run } = stateLayout(state);
  const processes = new ProcessTable(run);
  if (processes.supervisor() === undefined || processes.alive().some((process) => process.name === name))
    return;
  await giveOrder(run, { kind: "start", process: name }, say);
};

/**
 * `conclave reprovision`: gives a signer that lost its disk a share of every key again, by resharing those keys among all
 * signers, and new auxiliary information if its own differs from the other signers'. Earlier shares are useless
 * afterwards. Roster, n and t do not change.
 *
 * Rejects with a LaunchError if a signer does not answer or too few hold a key; keys reshared before that stay so.
 *
 * @param records the cluster's state folder, and where its records are
 * @param name the signer's id, such as "signer-2"
 */
export const reprovision = async (records: RecordsPlace, name: string): Promise<void> => {
  using operator = await Operator.enter(records);
  const { signal } = nextStopRequest();
  const run = { operator, say, signal };
  const ids = [...operator.members.values()].map(({ id }) => id);
  const none = new LaunchError(`there is no signer ${name}`, `There are ${ids.join(", ")}.`);
  if (!ids.includes(name)) throw none;
  await startSigner(records, name);
  await operator.allLive();
  const heard = await operator.hear();
  const signer = heard.find(({ id }) => id === name);
  if (signer === undefined) throw none;
  const held = await heldBySigners(heard, "all");
  const lacked = keyStandings(held, lowestThreshold(operator.roster)).filter((key) =>
    key.lacking.includes(signer.index),
  );
  for (const key of lacked) {
    const { epoch, lacking } = await reshareKey(run, key, heard);
    if (lacking.length > 0) {
      throw new LaunchError(`${key.keyId}: ${lacking.length} signers lost the new share`, "Run it again.");
    }
    say(`${key.keyId}: ${name} holds a share, epoch ${epoch}`);
  }
  const auxiliary = auxiliaryAt(operator, heard, signer);
  if (auxiliary.isShared) {
    say(`auxiliary information: epoch ${auxiliary.epoch}`);
  } else {
    const { epoch } = await renewAuxiliary(run, heard);
    say(`auxiliary information: epoch ${epoch}`);
  }
  say(`done: ${name} was given ${lacked.length} ${lacked.length === 1 ? "key" : "keys"}`);
};
