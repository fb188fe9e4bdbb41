import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  certifyKey,
  loadRoster,
  type MemberCertificate,
  makeCertificateAuthority,
  withAuthority,
} from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import { type StateLayout, stateLayout } from "../state/layout.ts";
import { moveSynced, writeSynced } from "../state/synced-file.ts";
import type { TurnFile } from "../state/turn-file.ts";
import { takeRenewalTurn } from "./renewal-turn.ts";
import {
  type ClusterTrust,
  certificateIn,
  certificateInForce,
  isElsewhere,
} from "./tls-member-certificate.ts";
import { hostsOf, namedMembers, type TlsMember, tlsMembersOf } from "./tls-members.ts";

/** The certificate that is made and not yet in force, in the folder of each member. */
const PREPARED = "tls.next.crt";

export interface CertificateRenewal {
  /** the cluster's state folder */
  readonly state: string;
  /** ids of members, such as "signer-2" or "orchestrator"; all by default */
  readonly only?: readonly string[] | undefined;
  /** one half of it; both by default */
  readonly half?: "prepare" | "switch" | undefined;
}

export interface RenewedMember {
  readonly id: string;
  readonly ends: Date;
  /** whether its certificate has to be brought to another machine */
  readonly isElsewhere: boolean;
}

/** Called with what is on the disk, one after the other; tests interrupt there. */
type Reached = (step: string) => void;

interface Renewal {
  readonly layout: StateLayout;
  readonly clusterId: string;
  readonly members: readonly TlsMember[];
  readonly turn: TurnFile;
  readonly reached: Reached;
}

const trustOf = ({ layout, clusterId }: Pick<Renewal, "layout" | "clusterId">): ClusterTrust => ({
  clusterId,
  authorities: readFileSync(layout.ca, "utf8"),
});

const membersIn = async (layout: StateLayout, only: readonly string[] | undefined) => {
  const missing = [layout.roster, layout.ca].find((file) => !existsSync(file));
  if (missing !== undefined) {
    throw new LaunchError(
      `there is no cluster in ${layout.root}: ${missing} is missing`,
      "Name the folder of one, or restore the folder of its roster.",
    );
  }
  const roster = await loadRoster(layout.roster);
  return { clusterId: roster.clusterId, members: namedMembers(tlsMembersOf(layout, roster), only) };
};

/** Makes an authority and a certificate of it for each key. The authority is trusted on this disk before any certificate is there. */
const prepare = async (renewal: Renewal): Promise<void> => {
  const { layout, clusterId, members, turn, reached } = renewal;
  const trust = trustOf(renewal);
  const now = new Date();
  const authority = await makeCertificateAuthority(clusterId, now);
  const made = await Promise.all(
    members.map(async (member) => {
      const { publicKey } = await certificateInForce(member, trust);
      const request = { role: member.role, hosts: hostsOf(member.role), now };
      return { member, certificate: await certifyKey(authority, request, publicKey) };
    }),
  );
  turn.stillHeld();
  writeSynced(layout.ca, withAuthority(trust.authorities, authority.certificate, now.getTime(), []));
  reached("authority");
  for (const { member, certificate } of made) {
    turn.stillHeld();
    writeSynced(join(member.folder, PREPARED), certificate);
    reached(`${member.id} prepared`);
  }
};

/** What is prepared for a member, if that fits the key that it has now; undefined if nothing is. */
const preparedFor = (
  member: TlsMember,
  inForce: MemberCertificate,
  trust: ClusterTrust,
): MemberCertificate | undefined => {
  if (!existsSync(join(member.folder, PREPARED))) return undefined;
  const prepared = certificateIn(member, PREPARED, trust);
  if (prepared.publicKey.equals(inForce.publicKey) && prepared.ends.getTime() > Date.now()) return prepared;
  throw new LaunchError(
    `the certificate that is prepared for ${member.id} is of another key, or has ended`,
    "Prepare again: the same command with --prepare.",
  );
};

/** Puts the prepared certificates in force. Members that an earlier, interrupted command served are passed over. */
const switchOver = async (renewal: Renewal): Promise<void> => {
  const { members, turn, reached } = renewal;
  const trust = trustOf(renewal);
  const found = await Promise.all(
    members.map(async (member) => {
      const inForce = await certificateInForce(member, trust);
      return { member, inForce, prepared: preparedFor(member, inForce, trust) };
    }),
  );
  const authorities = found.flatMap(({ prepared }) => prepared?.authority ?? []);
  const lacking = found.filter(
    ({ inForce, prepared }) => prepared === undefined && !authorities.includes(inForce.authority),
  );
  if (lacking.length > 0) {
    throw new LaunchError(
      `no certificate is prepared for ${lacking.map(({ member }) => member.id).join(", ")}`,
      "Give the command with --prepare first, for all of them. If nothing is prepared for any, an earlier --switch may have done it all.",
    );
  }
  for (const { member, prepared } of found) {
    if (prepared === undefined) continue;
    turn.stillHeld();
    moveSynced(join(member.folder, PREPARED), join(member.folder, "tls.crt"));
    reached(`${member.id} in force`);
  }
};

/**
 * Makes a new certificate for each member's key, and puts it in force. Nobody has the key of the cluster's authority, so one more authority
 * is made, which signs these alone: `ca.crt` then has those of before, too. Keys, roster and stores stay as they are. Processes read these
 * files when they start: one that has not read the new `ca.crt` refuses whoever shows a new certificate. So the halves can be given one by
 * one, with a restart of all in between: then no link is ever refused, in whichever order processes are restarted.
 *
 * The same command finishes what was interrupted; at any step, each member starts with what lies there.
 *
 * Rejects with a LaunchError, and writes nothing, if there is no such cluster or member, the certificate or the key of a member is missing,
 * does not open or does not belong to it, nothing is prepared where that is to be put in force, or another renewal runs.
 */
export const renewCertificates = async (
  { state, only, half }: CertificateRenewal,
  reached: Reached = () => undefined,
): Promise<readonly RenewedMember[]> => {
  const layout = stateLayout(state);
  await membersIn(layout, only);
  const turn = takeRenewalTurn(layout);
  try {
    const renewal = { layout, ...(await membersIn(layout, only)), turn, reached };
    if (half !== "switch") await prepare(renewal);
    if (half !== "prepare") await switchOver(renewal);
    const file = half === "prepare" ? PREPARED : "tls.crt";
    const trust = trustOf(renewal);
    return renewal.members.map((member) => ({
      id: member.id,
      ends: certificateIn(member, file, trust).ends,
      isElsewhere: isElsewhere(member),
    }));
  } finally {
    turn.release();
  }
};
