import { join } from "node:path";
import {
  certifyKey,
  type MemberCertificate,
  makeCertificateAuthority,
  readMemberCertificate,
  withAuthority,
} from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import { writeSynced } from "../state/synced-file.ts";
import { type HeldCertificates, heldCertificates } from "./certificate-in-force.ts";
import { type RenewalInHand, type RenewedMember, renewedMember, trustOf } from "./certificate-renewal.ts";
import { fittingCertificate, preparedBefore } from "./prepared-certificate.ts";
import { certificatesOf, PREPARED } from "./tls-member-files.ts";
import { hostsOf } from "./tls-members.ts";

/**
 * Refuses to certify a member on another machine by an ended certificate. Only the certificate shows which key that
 * member has, and an ended one may show a key that was replaced since.
 */
const refuseEnded = ({ member, inForce, isElsewhere }: HeldCertificates, nowMs: number): void => {
  if (!isElsewhere || inForce.ends.getTime() > nowMs) return;
  throw new LaunchError(
    `the certificate of ${member.id}, whose key is not here, has ended on ${inForce.ends.toISOString().slice(0, 10)}`,
    `Its owner has the one in force: put that into ${member.folder}, or name the others with --only. ` +
      "If that has ended as well, the owner's tls.key and passphrase.key have to lie beside it while this command runs.",
  );
};

interface Made {
  readonly held: HeldCertificates;
  readonly pem: string;
  readonly certificate: MemberCertificate;
}

/** Makes an authority, and with it a certificate for each key. Nothing is written. */
const makeCertificates = async (
  { clusterId }: RenewalInHand,
  all: readonly HeldCertificates[],
  now: Date,
): Promise<{ readonly authority: string; readonly made: readonly Made[] }> => {
  for (const held of all) refuseEnded(held, now.getTime());
  const { certificate: authority, ...key } = await makeCertificateAuthority(clusterId, now);
  const made = await Promise.all(
    all.map(async (held): Promise<Made> => {
      const { role } = held.member;
      const request = { role, hosts: hostsOf(role), now };
      const pem = await certifyKey({ certificate: authority, ...key }, request, held.inForce.publicKey);
      const read = readMemberCertificate({ certificate: pem, authority }, clusterId);
      if (!read.ok) throw new Error(read.problem.message);
      return { held, pem, certificate: read.value };
    }),
  );
  return { authority, made };
};

/** Checks certificates that are put in force at once, before anything is written. */
const refuseUnfit = (made: readonly Made[], { clusterId }: RenewalInHand, nowMs: number): void => {
  for (const { held, pem, certificate } of made) {
    const read = fittingCertificate(pem, held, { clusterId, authorities: certificate.authority }, nowMs);
    if (read.ok) continue;
    throw new LaunchError(
      `what would be made for ${held.member.id} ${read.problem.message}`,
      "Set the clock of this machine. If it is right, and was ahead when the one in force was made, give the command with --prepare, " +
        `and put each ${PREPARED} in the place of its tls.crt by hand once all were restarted.`,
    );
  }
};

/**
 * Prepares a certificate for each key. Their authority is added to the trusted ones on disk first. If an earlier command
 * has prepared files for all keys, those stay, because processes may have been restarted for them. Files that it left
 * incomplete are made again, because nobody has their authority's key any more.
 *
 * @param then whether the caller puts them in force at once
 */
export const prepareCertificates = async (
  renewal: RenewalInHand,
  then: "wait" | "switch",
): Promise<readonly RenewedMember[]> => {
  const { layout, members, allMembers, turn, reached } = renewal;
  const trust = trustOf(renewal);
  const now = new Date();
  const all = members.map((member) => heldCertificates(member, trust));
  const before = preparedBefore(all, trust, now.getTime());
  if (before !== undefined) {
    return before.map(({ held, certificate }) => renewedMember(held, certificate, true));
  }
  const { authority, made } = await makeCertificates(renewal, all, now);
  if (then === "switch") refuseUnfit(made, renewal, now.getTime());
  turn.stillHeld();
  const certificates = certificatesOf(allMembers);
  writeSynced(layout.ca, withAuthority(trust.authorities, authority, now.getTime(), certificates));
  reached("authority");
  for (const { held, pem } of made) {
    turn.stillHeld();
    writeSynced(join(held.member.folder, PREPARED), pem);
    reached(`${held.member.id} prepared`);
  }
  return made.map(({ held, certificate }) => renewedMember(held, certificate, false));
};
