import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  loadIdentity,
  loadRoster,
  makeCertificateAuthority,
  passphraseIn,
  type Roster,
  withAuthority,
} from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import { type StateLayout, stateLayout } from "../state/layout.ts";
import { regularText } from "../state/regular-file.ts";
import { removeSynced, syncFolder, writeSynced } from "../state/synced-file.ts";
import { makeSigner } from "./identities.ts";
import { takeRenewalTurn } from "./renewal-turn.ts";
import { certificatesOf } from "./tls-member-files.ts";
import { tlsMembersOf } from "./tls-members.ts";

/** What is on the disk, one after the other: a crash leaves a prefix of them, and the command is given again. */
export const RENEWAL_STEPS = ["emptied", "keys", "authority", "roster kept", "roster"] as const;
export type RenewalStep = (typeof RENEWAL_STEPS)[number];

/** What a renewal left for those who verify what was signed before. */
export interface Renewed {
  /** path of the roster of before */
  readonly rosterBefore: string;
}

type Lost = Roster["signers"][number];

/** Whether the identity in this folder is one that the roster does not name: what an earlier, interrupted renewal left. */
const isUnnamed = (folder: string, roster: Roster): boolean => {
  const file = join(folder, "passphrase.key");
  const passphrase = passphraseIn(regularText(file) ?? "", file);
  if (!passphrase.ok) return false;
  const identity = loadIdentity(regularText(join(folder, "identity.key")) ?? "", passphrase.value);
  if (!identity.ok) return false;
  const key = Buffer.from(identity.value.identityKey).toString("hex");
  return roster.signers.every(({ identityKey }) => identityKey !== key);
};

/** Whoever has a store, or the identity that the roster names, has lost nothing. */
const refuseToReplace = (folder: string, { id }: Lost, roster: Roster): void => {
  const kept = ["identity.key", "vault"].filter((name) => existsSync(join(folder, name)));
  if (kept.length === 0) return;
  if (!kept.includes("vault") && isUnnamed(folder, roster)) return;
  throw new LaunchError(
    `${id} has not lost its folder: ${kept.join(", ")} in ${folder}`,
    "Start it; or empty that folder, if nothing in it is of use any more.",
  );
};

/** Keeps the roster as it is beside it, once. @returns the path */
const keepRoster = (layout: StateLayout, id: string): string => {
  const content = readFileSync(layout.roster, "utf8");
  const same = readdirSync(layout.cluster)
    .filter((name) => /^roster-before-.*\.json$/.test(name))
    .map((name) => join(layout.cluster, name))
    .find((file) => readFileSync(file, "utf8") === content);
  if (same !== undefined) return same;
  const date = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  const file = join(layout.cluster, `roster-before-${id}-${date}.json`);
  writeSynced(file, content);
  return file;
};

const lostIn = async (layout: StateLayout, id: string): Promise<{ roster: Roster; lost: Lost }> => {
  if (!existsSync(layout.roster)) {
    throw new LaunchError(
      `there is no cluster in ${layout.root}`,
      "Provision one, or restore the folder of its roster.",
    );
  }
  const roster = await loadRoster(layout.roster);
  const lost = roster.signers.find((signer) => signer.id === id);
  if (lost !== undefined) return { roster, lost };
  const known = roster.signers.map((signer) => signer.id).join(", ");
  throw new LaunchError(`there is no signer ${id}`, `There are ${known}.`);
};

/**
 * Makes keys and a certificate for a signer that lost its whole folder, and writes them into the roster. Nobody has the key of the
 * cluster's authority, so one more authority is made, which signs this certificate alone: `ca.crt` then has both. All processes have to
 * read both files anew, and the signer has no shares yet. The roster of before stays beside it, because receipts and evidence of before
 * are verified with it alone. A renewal that was interrupted is done again by the same command.
 *
 * Rejects with a LaunchError, and writes nothing, if there is no such signer, its folder has what makes it a signer still, or another
 * renewal runs.
 *
 * @param state the cluster's state folder
 * @param id the signer's id, such as "signer-2"
 * @param reached called when a step is on the disk; tests interrupt there
 */
export const renewIdentity = async (
  state: string,
  id: string,
  reached: (step: RenewalStep) => void = () => undefined,
): Promise<Renewed> => {
  const layout = stateLayout(state);
  await lostIn(layout, id);
  const turn = takeRenewalTurn(layout);
  try {
    const { roster, lost } = await lostIn(layout, id);
    const folder = layout.signer(lost.index);
    refuseToReplace(folder, lost, roster);
    if (existsSync(join(folder, "identity.key"))) removeSynced(join(folder, "identity.key"));
    reached("emptied");
    const now = new Date();
    const authority = await makeCertificateAuthority(roster.clusterId, now);
    const { importKey, ...made } = await makeSigner(layout, authority, lost.index);
    syncFolder(folder);
    reached("keys");
    turn.stillHeld();
    const certificates = certificatesOf(tlsMembersOf(layout, roster));
    writeSynced(
      layout.ca,
      withAuthority(readFileSync(layout.ca, "utf8"), authority.certificate, now.getTime(), certificates),
    );
    reached("authority");
    const rosterBefore = keepRoster(layout, id);
    reached("roster kept");
    const renewed = { ...lost, ...made, ...(lost.importKey === undefined ? {} : { importKey }) };
    const signers = roster.signers.map((signer) => (signer === lost ? renewed : signer));
    turn.stillHeld();
    writeSynced(layout.roster, `${JSON.stringify({ ...roster, signers }, undefined, 2)}\n`);
    reached("roster");
    return { rosterBefore };
  } finally {
    turn.release();
  }
};
