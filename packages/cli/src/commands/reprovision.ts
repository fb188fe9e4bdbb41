import { LaunchError, waitUntil } from "@conclave/testbed";
import { reshareKey } from "../operator/key-change.ts";
import { keyStandings } from "../operator/key-standing.ts";
import { Operator } from "../operator/operator.ts";
import { nextStopRequest } from "../stop-request.ts";

/** With real parameters every signer first searches safe primes. */
const AUXILIARY_MS = 15 * 60_000;
const POLL_MS = 500;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Waits until all signers have the same auxiliary information. If a signer has none, the orchestrator has new information
 * generated; until then that signer signs nothing.
 */
const sharedAuxiliary = async (operator: Operator, signal: AbortSignal): Promise<void> => {
  const epoch = await waitUntil(
    async () => {
      if (signal.aborted)
        throw new LaunchError("stopped before the end", "The keys themselves are dealt out.");
      const auxiliary = (await operator.hear()).map(
        ({ status }) => `${status.auxiliaryEpoch}/${Buffer.from(status.auxiliaryDigest).toString("hex")}`,
      );
      const [first = "0/"] = auxiliary;
      return new Set(auxiliary).size === 1 && !first.startsWith("0/") ? first.split("/")[0] : undefined;
    },
    {
      what: "the orchestrator to bring auxiliary information to all signers",
      deadlineMs: AUXILIARY_MS,
      pollMs: POLL_MS,
      remedy: "See that the orchestrator runs; the keys themselves are dealt out.",
    },
  );
  say(`auxiliary information: epoch ${epoch}`);
};

/**
 * `conclave reprovision`: gives a signer that lost its disk a share of every key again, by resharing those keys among all
 * signers. Earlier shares are useless afterwards. Roster, n and t do not change.
 *
 * Rejects with a LaunchError if a signer does not answer or too few hold a key; keys reshared before that stay so.
 *
 * @param state the cluster's state folder
 * @param name the signer's id, such as "signer-2"
 */
export const reprovision = async (state: string, name: string): Promise<void> => {
  using operator = await Operator.enter(state);
  const { signal } = nextStopRequest();
  const run = { operator, say, signal };
  await operator.allLive();
  const heard = await operator.hear();
  const signer = heard.find(({ id }) => id === name);
  if (signer === undefined) {
    throw new LaunchError(`there is no signer ${name}`, `There are ${heard.map(({ id }) => id).join(", ")}.`);
  }
  const lacked = keyStandings(new Map(heard.map(({ index, status }) => [index, status]))).filter((key) =>
    key.lacking.includes(signer.index),
  );
  for (const key of lacked) {
    const { epoch, lacking } = await reshareKey(run, key, heard);
    if (lacking.length > 0) {
      throw new LaunchError(`${key.keyId}: ${lacking.length} signers lost the new share`, "Run it again.");
    }
    say(`${key.keyId}: ${name} holds a share, epoch ${epoch}`);
  }
  await sharedAuxiliary(operator, signal);
  say(`done: ${name} was given ${lacked.length} ${lacked.length === 1 ? "key" : "keys"}`);
};
