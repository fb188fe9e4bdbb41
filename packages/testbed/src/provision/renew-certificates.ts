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
  /** only one half; by default both */
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
 * Makes a new certificate for each member's key, and puts it in force. Nobody has the key of the cluster's authority, so
 * an additional authority is made, which signs only these certificates; `ca.crt` then has the earlier ones too. Keys,
 * roster and stores do not change. Processes read these files at their start, and a process that has not read the new
 * `ca.crt` refuses every peer with a new certificate. To avoid that, run the halves separately and restart all processes
 * in between: then no link is ever refused, whatever the order of restarts.
 *
 * The same command completes an interrupted renewal; at any step, each member can start with its files. If --prepare is
 * repeated, certificates that were already prepared for all named members stay.
 *
 * Rejects with a LaunchError, and writes nothing, if the cluster or a member does not exist, a member's certificate or
 * key is missing, cannot be opened or belongs to another, the certificate to put in force is missing, does not fit or is
 * not valid now, or another renewal is running.
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
