import { type KeyObject, sign } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  isRoster,
  loadRoster,
  makeCertificateAuthority,
  type Roster,
  withAuthority,
} from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import { type StateLayout, stateLayout } from "../state/layout.ts";
import { removeSynced, syncFolder, writeSynced } from "../state/synced-file.ts";
import type { TurnFile } from "../state/turn-file.ts";
import { loadAuthorityKey } from "./authority-key.ts";
import { makeSigner } from "./identities.ts";
import { takeRenewalTurn } from "./renewal-turn.ts";
import {
  planRosterChange,
  rosterDone,
  rosterUnderWay,
  type SignEvent,
  type WantedRoster,
} from "./roster-decision.ts";
import { certificatesOf } from "./tls-member-files.ts";
import { tlsMembersOf } from "./tls-members.ts";
import { hasUnnamedIdentity } from "./unnamed-identity.ts";

export type { PutOut, WantedRoster } from "./roster-decision.ts";

/** The writes to disk, in order. A crash leaves the first few of them; the operator then repeats the command. */
export const ROSTER_CHANGE_STEPS = ["emptied", "keys", "authority", "roster"] as const;
export type RosterChangeStep = (typeof ROSTER_CHANGE_STEPS)[number];
type Reached = (step: RosterChangeStep) => void;

const rosterOf = async ({ roster, root }: StateLayout): Promise<Roster> => {
  if (existsSync(roster)) return loadRoster(roster);
  throw new LaunchError(
    `there is no cluster in ${root}`,
    "Provision one, or restore the folder of its roster.",
  );
};

/**
 * Refuses to overwrite keys: a new signer's folder must be empty, or have keys that an interrupted change left and no
 * roster names.
 */
const refuseToReplace = (folder: string, roster: Roster): void => {
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new LaunchError(`${folder} is no folder`, "Remove what lies there.");
  const kept = ["identity.key", "vault"].filter((name) =>
    lstatSync(join(folder, name), { throwIfNoEntry: false }),
  );
  if (kept.length === 0 || (!kept.includes("vault") && hasUnnamedIdentity(folder, roster))) return;
  throw new LaunchError(
    `the folder ${folder} of a new signer has ${kept.join(", ")} of another`,
    "Move that folder away, if it is of use still; or empty it.",
  );
};

/**
 * The address of a new signer: its id as the host name and the first signer's port, as in networks of containers. The
 * launcher of a cluster on one machine sets another address when it starts the signer.
 */
const addressOf = (id: string, { signers }: Roster): string =>
  `${id}:${signers[0]?.address.split(":").at(-1) ?? ""}`;

interface Begin {
  readonly layout: StateLayout;
  readonly roster: Roster;
  readonly turn: TurnFile;
  readonly now: Date;
  readonly reached: Reached;
}

/**
 * Makes folders, keys and certificates of the new signers, and adds the authority of these certificates to `ca.crt`.
 * @returns the roster's entries of the new signers
 */
const makeSigners = async (
  { layout, roster, turn, now, reached }: Begin,
  added: readonly number[],
): Promise<readonly Roster["signers"][number][]> => {
  if (added.length === 0) return [];
  for (const index of added) {
    const file = join(layout.signer(index), "identity.key");
    if (existsSync(file)) removeSynced(file);
  }
  reached("emptied");
  const authority = await makeCertificateAuthority(roster.clusterId, now);
  const hasImportKeys = roster.signers.every(({ importKey }) => importKey !== undefined);
  const made: Roster["signers"][number][] = [];
  const hadFolders = added.every((index) => existsSync(layout.signer(index)));
  for (const index of added) {
    const { importKey, ...signer } = await makeSigner(layout, authority, index);
    const address = addressOf(signer.id, roster);
    made.push({ ...signer, address, ...(hasImportKeys ? { importKey } : {}) });
    syncFolder(layout.signer(index));
  }
  if (!hadFolders) syncFolder(layout.root);
  reached("keys");
  turn.stillHeld();
  const certificates = certificatesOf(tlsMembersOf(layout, { signers: [...roster.signers, ...made] }));
  writeSynced(
    layout.ca,
    withAuthority(readFileSync(layout.ca, "utf8"), authority.certificate, now.getTime(), certificates),
  );
  reached("authority");
  return made;
};

const signBy =
  (key: KeyObject): SignEvent =>
  (bytes) =>
    sign(null, bytes, key).toString("hex");

/** Writes a roster, after checking that every process could read it. */
const writeRoster = (layout: StateLayout, turn: TurnFile, roster: Roster): Roster => {
  if (!isRoster(JSON.parse(JSON.stringify(roster))))
    throw new Error("no process would read the changed roster");
  turn.stillHeld();
  writeSynced(layout.roster, `${JSON.stringify(roster, undefined, 2)}\n`);
  return roster;
};

/**
 * Begins a change of a cluster's members or threshold: makes keys and certificates for new signers, and writes the roster
 * by which keys are moved. An additional certificate authority signs only these certificates; `ca.crt` then has it
 * besides the earlier ones. All processes have to read both files again. If the change is interrupted before the roster
 * is written, the same call begins it again.
 *
 * Rejects with a LaunchError, and writes nothing, if the change cannot be made, another change of roster or certificates
 * is running, a new signer's folder has keys already, or the authority's key is not in the state folder.
 *
 * @param state the cluster's state folder
 * @param wanted the added and removed members, and the new threshold
 * @param reached called after each step is on disk; tests interrupt there
 * @returns the roster as it was written
 */
export const beginRosterChange = async (
  state: string,
  wanted: WantedRoster,
  reached: Reached = () => undefined,
): Promise<Roster> => {
  const layout = stateLayout(state);
  planRosterChange(await rosterOf(layout), wanted);
  const turn = takeRenewalTurn(layout);
  try {
    const roster = await rosterOf(layout);
    const plan = planRosterChange(roster, wanted);
    for (const index of plan.added) refuseToReplace(layout.signer(index), roster);
    const key = await loadAuthorityKey(layout, roster);
    const now = new Date();
    const made = await makeSigners({ layout, roster, turn, now, reached }, plan.added);
    const next = writeRoster(layout, turn, rosterUnderWay(roster, plan, made, now, signBy(key)));
    reached("roster");
    return next;
  } finally {
    turn.release();
  }
};

/**
 * Ends the change that is under way, and removes the leaving signers from the roster. Every key must have been moved.
 *
 * Rejects with a LaunchError, and writes nothing, if no change is under way, another change of roster or certificates is
 * running, or the authority's key is not in the state folder.
 *
 * @param state the cluster's state folder
 * @returns the roster as it was written
 */
export const finishRosterChange = async (state: string): Promise<Roster> => {
  const layout = stateLayout(state);
  await rosterOf(layout);
  const turn = takeRenewalTurn(layout);
  try {
    const roster = await rosterOf(layout);
    const key = await loadAuthorityKey(layout, roster);
    return writeRoster(layout, turn, rosterDone(roster, new Date(), signBy(key)));
  } finally {
    turn.release();
  }
};
