import { existsSync } from "node:fs";
import { loadRoster } from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import { type StateLayout, stateLayout } from "../state/layout.ts";
import type { RenewedMember } from "./certificate-renewal.ts";
import { prepareCertificates } from "./prepare-certificates.ts";
import { takeRenewalTurn } from "./renewal-turn.ts";
import { switchCertificates } from "./switch-certificates.ts";
import { namedMembers, tlsMembersOf } from "./tls-members.ts";

export interface CertificateRenewal {
  /** the cluster's state folder */
  readonly state: string;
  /** ids of members, such as "signer-2" or "orchestrator"; all by default */
  readonly only?: readonly string[] | undefined;
  /** one half of it; both by default */
  readonly half?: "prepare" | "switch" | undefined;
}

const membersIn = async (layout: StateLayout, only: readonly string[] | undefined) => {
  const missing = [layout.roster, layout.ca].find((file) => !existsSync(file));
  if (missing !== undefined) {
    throw new LaunchError(
      `there is no cluster in ${layout.root}: ${missing} is missing`,
      "Name the folder of one, or restore the folder of its roster.",
    );
  }
  const roster = await loadRoster(layout.roster);
  const allMembers = tlsMembersOf(layout, roster);
  return { clusterId: roster.clusterId, allMembers, members: namedMembers(allMembers, only) };
};

/**
 * Makes a new certificate for each member's key, and puts it in force. Nobody has the key of the cluster's authority, so one more authority
 * is made, which signs these alone: `ca.crt` then has those of before, too. Keys, roster and stores stay as they are. Processes read these
 * files when they start: one that has not read the new `ca.crt` refuses every peer with a new certificate. So
 * the halves can be given one by one, with a restart of all in between: then no link is ever refused, in
 * whichever order processes are restarted.
 *
 * The same command finishes what was interrupted; at any step, each member starts with what lies there. Given again, --prepare leaves what
 * it has prepared for all that are named.
 *
 * Rejects with a LaunchError, and writes nothing, if there is no such cluster or member, the certificate or the key of a member is missing,
 * does not open or does not belong to it, the certificate to put in force is missing, does not fit or is not
 * valid now, or another renewal runs.
 */
export const renewCertificates = async (
  { state, only, half }: CertificateRenewal,
  reached: (step: string) => void = () => undefined,
): Promise<readonly RenewedMember[]> => {
  const layout = stateLayout(state);
  await membersIn(layout, only);
  const turn = takeRenewalTurn(layout);
  try {
    const renewal = { layout, ...(await membersIn(layout, only)), turn, reached };
    if (half === "switch") return switchCertificates(renewal);
    const made = await prepareCertificates(renewal, half === "prepare" ? "wait" : "switch");
    if (half === undefined) switchCertificates(renewal);
    return made;
  } finally {
    turn.release();
  }
};
