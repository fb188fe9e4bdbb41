import { LaunchError } from "@conclave/testbed/launch";
import type { RecordsPlace } from "../operator/fault-records.ts";
import { refreshKey, renewAuxiliary } from "../operator/key-change.ts";
import { keyStandings } from "../operator/key-standing.ts";
import { heldBySigners, Operator } from "../operator/operator.ts";
import { nextStopRequest } from "../stop-request.ts";

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * `conclave refresh`: gives every signer a new share of every key, or of one key, and then new auxiliary information. The
 * cluster keeps signing meanwhile; earlier presignatures are discarded.
 *
 * Rejects with a LaunchError if a signer does not answer or a key cannot be refreshed; keys refreshed before that stay so.
 *
 * @param records the cluster's state folder, and where its records are
 * @param keyId one key; by default all active keys
 */
export const refresh = async (records: RecordsPlace, keyId?: string): Promise<void> => {
  using operator = await Operator.enter(records);
  const { signal } = nextStopRequest();
  const run = { operator, say, signal };
  await operator.allLive();
  if (operator.roster.change !== undefined) {
    throw new LaunchError(
      "a change of the roster is under way: it gives every key new shares",
      "`conclave roster change` takes it up.",
    );
  }
  const heard = await operator.hear();
  const held = await heldBySigners(heard, keyId === undefined ? "all" : { keyId });
  const keys = keyStandings(held, operator.roster.threshold);
  if (keyId !== undefined && keys.length === 0) {
    throw new LaunchError(`no signer holds an active share of ${keyId}`, "`GET /wallets` shows key ids.");
  }
  for (const key of keys) {
    const { epoch, lacking } = await refreshKey(run, key);
    if (lacking.length > 0) {
      throw new LaunchError(
        `${key.keyId}: ${lacking.length} signers lost the new share`,
        "Reprovision them.",
      );
    }
    say(`${key.keyId}: new shares at all ${heard.length} signers, epoch ${epoch}`);
  }
  const { epoch } = await renewAuxiliary(run, heard);
  say(`auxiliary information: epoch ${epoch}`);
  say(`done: ${keys.length} ${keys.length === 1 ? "key" : "keys"} refreshed`);
};
