import { isWhereItBelongs, keyHolders } from "@conclave/cluster";
import { lowestThreshold } from "@conclave/platform/config";
import { LaunchError } from "@conclave/testbed/launch";
import { nextStopRequest } from "../stop-request.ts";
import type { RecordsPlace } from "./fault-records.ts";
import { auxiliaryAt, type ChangeRun, publicInfoOf, renewAuxiliary, reshareKey } from "./key-change.ts";
import { type KeyStanding, keyStandings } from "./key-standing.ts";
import { type HeardSigner, heldBySigners, Operator } from "./operator.ts";

/**
 * The keys are listed again after each pass, because keys can be generated meanwhile. After this many passes, moves
 * evidently do not last.
 */
const PASSES_MAX = 5;

/** Moves every key of a cluster to the signers of its roster. @param records as for `moveKeys` */
export type KeyMove = (records: RecordsPlace) => Promise<void>;

/** The steps of a move that take the signers' protocols. */
export interface SignersSteps {
  readonly auxiliaryAt: typeof auxiliaryAt;
  readonly reshareKey: typeof reshareKey;
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const holdingOf = (heard: readonly HeardSigner[], { held, epoch }: KeyStanding): readonly HeardSigner[] =>
  heard.filter(({ index }) => held.get(index)?.epoch === epoch);

const listed = async ({ operator }: ChangeRun, heard: readonly HeardSigner[]) => {
  const held = await heldBySigners(heard, "all");
  return keyStandings(held, lowestThreshold(operator.roster), "all");
};

/**
 * Sends the certificate of an epoch to signers that wait for it while others are already in the epoch, because an earlier
 * command may have ended in between.
 */
const activateWaiting = async (run: ChangeRun, heard: readonly HeardSigner[]): Promise<void> => {
  for (const { keyId, held } of await listed(run, heard)) {
    if ([...held.values()].every(({ pending }) => pending.length === 0)) continue;
    for (const { client } of heard) {
      const certificate = await client.getCertificate(keyId);
      if (!certificate.ok || certificate.value === undefined) continue;
      for (const other of heard) await other.client.switchEpoch(certificate.value);
    }
  }
};

/** The keys whose holders or threshold differ from the roster's. */
const misplaced = async (run: ChangeRun, heard: readonly HeardSigner[]): Promise<readonly KeyStanding[]> => {
  const { members, roster } = run.operator;
  const holders = keyHolders(members);
  const found: KeyStanding[] = [];
  for (const key of await listed(run, heard)) {
    const isWhole = holders.every((party) => key.held.get(party)?.epoch === key.epoch);
    const info = await publicInfoOf(run.operator, key.keyId, holdingOf(heard, key));
    if (!isWhole || !isWhereItBelongs(members, roster.threshold, info)) found.push(key);
  }
  return found;
};

/**
 * Has signers that leave erase their shares of keys that were moved while these signers were away. Rejects with a
 * LaunchError if one keeps a share.
 */
const releaseLeaving = async (run: ChangeRun, heard: readonly HeardSigner[]): Promise<void> => {
  const holders = keyHolders(run.operator.members);
  const leaving = heard.filter(({ index }) => !holders.includes(index));
  const staying = heard.filter(({ index }) => holders.includes(index));
  const keeping = (key: KeyStanding) => leaving.filter(({ index }) => (key.held.get(index)?.epoch ?? 0) > 0);
  for (const key of await listed(run, heard)) {
    for (const { client } of staying) {
      const certificate = await client.getCertificate(key.keyId);
      if (!certificate.ok || certificate.value === undefined) continue;
      for (const left of keeping(key)) await left.client.switchEpoch(certificate.value);
    }
  }
  const kept = (await listed(run, heard)).flatMap((key) =>
    keeping(key).map(({ id }) => `${id} (${key.keyId})`),
  );
  if (kept.length === 0) return;
  throw new LaunchError(
    `signers that leave do not give up their shares: ${kept.slice(0, 5).join(", ")}`,
    "Run it again; put a signer out with --lost or --cheated that never does.",
  );
};

const bringAuxiliary = async (
  run: ChangeRun,
  heard: readonly HeardSigner[],
  steps: SignersSteps,
): Promise<void> => {
  const holders = keyHolders(run.operator.members);
  const staying = heard.filter(({ index }) => holders.includes(index));
  if (staying.every((signer) => steps.auxiliaryAt(run.operator, heard, signer).isShared)) return;
  const { epoch } = await renewAuxiliary(run, heard);
  say(`auxiliary information: epoch ${epoch}`);
};

/**
 * Moves every key to the signers of the roster that stay, under its threshold, while the cluster signs; the signers that
 * leave then erase their shares. After an interruption, keys already moved stay moved, and the next run continues with
 * the others.
 *
 * Rejects with a LaunchError if a signer of the roster does not answer, or a key cannot be moved.
 *
 * @param records the cluster's state folder, and where its records are
 * @param steps the steps of the signers' protocols; those of `key-change.ts` by default
 */
export const moveKeys = async (
  records: RecordsPlace,
  steps: SignersSteps = { auxiliaryAt, reshareKey },
): Promise<void> => {
  using operator = await Operator.enter(records);
  const { signal } = nextStopRequest();
  const run = { operator, say, signal };
  await operator.allLive();
  const heard = await operator.hear();
  await activateWaiting(run, heard);
  await bringAuxiliary(run, heard, steps);
  let moved = 0;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const keys = await misplaced(run, heard);
    if (keys.length === 0) {
      await releaseLeaving(run, heard);
      say(`done: ${moved} ${moved === 1 ? "key" : "keys"} moved`);
      return;
    }
    for (const key of keys) {
      const { epoch, lacking } = await steps.reshareKey(run, key, heard);
      if (lacking.length > 0) {
        throw new LaunchError(`${key.keyId}: ${lacking.length} signers lost the new share`, "Run it again.");
      }
      moved += 1;
      say(`${key.keyId}: moved, epoch ${epoch}`);
    }
  }
  throw new LaunchError(
    "keys do not stay where they were moved",
    "See the logs of the signers, and run it again.",
  );
};
