import { fail, type Result } from "@conclave/custody";
import { type MemberCertificate, readMemberCertificate, sameRole } from "@conclave/platform";
import type { ClusterTrust, HeldCertificates } from "./certificate-in-force.ts";

const DAY_MS = 86_400_000;
/** Tolerance for two renewals of the same day by clocks that differ. */
const SAME_DAY_MS = DAY_MS;
/** How long owners on other machines may take to restart their signers between the two halves of a renewal. */
const FRESH_MS = 14 * DAY_MS;

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/**
 * Why a certificate may not be put in force, apart from who signed it; undefined if it may. It must not end before the
 * present one, if an authority of the cluster signed that: otherwise anybody can have written the present one's end.
 */
const unfitness = (
  prepared: MemberCertificate,
  { member, inForce }: Pick<HeldCertificates, "member" | "inForce">,
  nowMs: number,
): string | undefined => {
  if (!sameRole(prepared.role, member.role)) return "is of another member";
  if (!prepared.publicKey.equals(inForce.publicKey)) return "is of another key";
  if (prepared.begins.getTime() > nowMs) return `is not valid before ${prepared.begins.toISOString()}`;
  if (prepared.ends.getTime() <= nowMs) return `has ended on ${dayOf(prepared.ends)}`;
  const isEarlier = prepared.ends.getTime() + SAME_DAY_MS < inForce.ends.getTime();
  if (!isEarlier || inForce.authority === undefined) return undefined;
  return `ends on ${dayOf(prepared.ends)}, before the one in force, which ends on ${dayOf(inForce.ends)}`;
};

/**
 * Reads a certificate that is to be put in force for a member.
 *
 * @returns refusal CertificateInvalid if it does not fit the member's key, is not valid now, or would end before the one in force
 */
export const fittingCertificate = (
  certificate: string,
  held: Pick<HeldCertificates, "member" | "inForce">,
  trust: ClusterTrust,
  nowMs: number,
): Result<MemberCertificate> => {
  const read = readMemberCertificate({ certificate, authority: trust.authorities }, trust.clusterId);
  if (!read.ok) return fail("CertificateInvalid", {}, `cannot be used: ${read.problem.message}`);
  const problem = unfitness(read.value, held, nowMs);
  return problem === undefined ? read : fail("CertificateInvalid", {}, problem);
};

/** A certificate that an earlier command has prepared. */
export interface PreparedBefore {
  readonly held: HeldCertificates;
  readonly certificate: MemberCertificate;
}

/**
 * The prepared certificates of all these members, if all fit, are of one authority, and are recent. Processes may have
 * been restarted for that authority, and trust no other.
 */
export const preparedBefore = (
  all: readonly HeldCertificates[],
  trust: ClusterTrust,
  nowMs: number,
): readonly PreparedBefore[] | undefined => {
  const before = all.flatMap((held): readonly PreparedBefore[] => {
    if (held.prepared === undefined) return [];
    const read = fittingCertificate(held.prepared, held, trust, nowMs);
    const isFresh = read.ok && read.value.begins.getTime() + FRESH_MS > nowMs;
    return isFresh ? [{ held, certificate: read.value }] : [];
  });
  const authorities = new Set(before.map(({ certificate }) => certificate.authority));
  return before.length === all.length && authorities.size === 1 ? before : undefined;
};
