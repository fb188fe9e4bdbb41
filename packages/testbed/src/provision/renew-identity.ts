import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadRoster, makeCertificateAuthority } from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import { stateLayout } from "../state/layout.ts";
import { makeSigner } from "./identities.ts";

/**
 * Makes keys and a certificate for a signer that lost its whole folder, and writes them into the roster. Nobody has the key of the
 * cluster's authority, so one more authority is made, which signs this certificate alone: `ca.crt` then has both. All processes have to
 * read both files anew, and the signer has no shares yet.
 *
 * Rejects with a LaunchError, and writes nothing, if there is no such signer, or its folder has what makes it a signer still.
 *
 * @param state the cluster's state folder
 * @param id the signer's id, such as "signer-2"
 */
export const renewIdentity = async (state: string, id: string): Promise<void> => {
  const layout = stateLayout(state);
  if (!existsSync(layout.roster)) {
    throw new LaunchError(
      `there is no cluster in ${state}`,
      "Provision one, or restore the folder of its roster.",
    );
  }
  const roster = await loadRoster(layout.roster);
  const lost = roster.signers.find((signer) => signer.id === id);
  if (lost === undefined) {
    const known = roster.signers.map((signer) => signer.id).join(", ");
    throw new LaunchError(`there is no signer ${id}`, `There are ${known}.`);
  }
  const folder = layout.signer(lost.index);
  const kept = ["identity.key", "vault"].filter((name) => existsSync(join(folder, name)));
  if (kept.length > 0) {
    throw new LaunchError(
      `${id} has not lost its folder: ${kept.join(", ")} in ${folder}`,
      "Start it; or empty that folder, if nothing in it is of use any more.",
    );
  }
  const authority = await makeCertificateAuthority(roster.clusterId, new Date());
  const { importKey, ...made } = await makeSigner(layout, authority, lost.index);
  appendFileSync(layout.ca, `\n${authority.certificate}\n`);
  const renewed = { ...lost, ...made, ...(lost.importKey === undefined ? {} : { importKey }) };
  const signers = roster.signers.map((signer) => (signer === lost ? renewed : signer));
  writeFileSync(layout.roster, `${JSON.stringify({ ...roster, signers }, undefined, 2)}\n`);
};
