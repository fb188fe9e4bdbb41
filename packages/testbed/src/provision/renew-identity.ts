import { type KeyObject, sign } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  lastEventBytes,
  loadRoster,
  makeCertificateAuthority,
  RENEWALS_MAX,
  type Roster,
  withAuthority,
} from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import { type StateLayout, stateLayout } from "../state/layout.ts";
import { removeSynced, syncFolder, writeSynced } from "../state/synced-file.ts";
import { loadAuthorityKey } from "./authority-key.ts";
import { makeSigner } from "./identities.ts";
import { takeRenewalTurn } from "./renewal-turn.ts";
import { certificatesOf } from "./tls-member-files.ts";
import { tlsMembersOf } from "./tls-members.ts";
import { hasUnnamedIdentity } from "./unnamed-identity.ts";

/** The writes to disk, in order. A crash leaves the first few of them; the operator then repeats the command. */
export const RENEWAL_STEPS = ["emptied", "keys", "authority", "roster"] as const;
export type RenewalStep = (typeof RENEWAL_STEPS)[number];

type Lost = Roster["signers"][number];

/** Refuses a signer that still has a store, or the identity that the roster names: it has lost nothing. */
const refuseToReplace = (folder: string, { id }: Lost, roster: Roster): void => {
  const kept = ["identity.key", "vault"].filter((name) => existsSync(join(folder, name)));
  if (kept.length === 0) return;
  if (!kept.includes("vault") && hasUnnamedIdentity(folder, roster)) return;
  throw new LaunchError(
    `${id} has not lost its folder: ${kept.join(", ")} in ${folder}`,
    "Start it; or empty that folder, if nothing in it is of use any more.",
  );
};

/** The roster with a signer's new identity, and its former one among the renewals, signed by the authority. */
const withRenewal = (roster: Roster, lost: Lost, renewed: Lost, key: KeyObject, now: Date): Roster => {
  const signers = roster.signers.map((signer) => (signer === lost ? renewed : signer));
  const renewal = {
    signer: lost.index,
    identityKey: lost.identityKey,
    date: now.toISOString(),
    signature: "",
  };
  const renewals = [...(roster.renewals ?? []), renewal];
  const signature = sign(null, lastEventBytes({ ...roster, signers, renewals }), key).toString("hex");
  return { ...roster, signers, renewals: [...renewals.slice(0, -1), { ...renewal, signature }] };
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
 * Makes keys and a certificate for a signer that lost its whole folder, and writes them into the roster. Nobody has the
 * key of the cluster's authority, so an additional authority is made, which signs only this certificate; `ca.crt` then
 * has both. All processes have to read both files again, and the signer has no shares yet. The former identity stays in
 * the roster, signed by the gateway's authority key, because earlier receipts, attestations and evidence are verified by
 * it. The same command completes an interrupted renewal.
 *
 * Rejects with a LaunchError, and writes nothing, if there is no such signer, its folder still has its identity or store,
 * another renewal is running, or the authority's key is not in the state folder.
 *
 * @param state the cluster's state folder
 * @param id the signer's id, such as "signer-2"
 * @param reached called after each step is on disk; tests interrupt there
 */
export const renewIdentity = async (
  state: string,
  id: string,
  reached: (step: RenewalStep) => void = () => undefined,
): Promise<void> => {
  const layout = stateLayout(state);
  await lostIn(layout, id);
  const turn = takeRenewalTurn(layout);
  try {
    const { roster, lost } = await lostIn(layout, id);
    const folder = layout.signer(lost.index);
    refuseToReplace(folder, lost, roster);
    const key = await loadAuthorityKey(layout, roster);
    if ((roster.renewals?.length ?? 0) >= RENEWALS_MAX) {
      throw new LaunchError(
        `${RENEWALS_MAX} identities were renewed`,
        "Provision a new cluster, and move the funds there.",
      );
    }
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
    const renewed = { ...lost, ...made, ...(lost.importKey === undefined ? {} : { importKey }) };
    const next = withRenewal(roster, lost, renewed, key, now);
    turn.stillHeld();
    writeSynced(layout.roster, `${JSON.stringify(next, undefined, 2)}\n`);
    reached("roster");
  } finally {
    turn.release();
  }
};
