import { clusterOf, type EarlierIdentity, identitiesOverTime } from "@conclave/cluster";
import { partyIndex, verifyEd25519 } from "@conclave/threshold";
import { z } from "zod";

/** More renewals than a cluster ever has: signers try the identities of each time. */
export const RENEWALS_MAX = 128;

/** A signer's identity that was renewed, as the roster keeps it. */
const identityRenewalSchema = z.strictObject({
  /** its index */
  signer: z.int().positive(),
  /** Ed25519, lower-case hex: the identity that it had until then */
  identityKey: z.string().regex(/^[0-9a-f]{64}$/, "is not 32 bytes of lower-case hex"),
  /** ISO 8601 UTC, by the clock of the command */
  date: z.iso.datetime(),
  /** of the authority's key over `renewalBytes`, lower-case hex */
  signature: z.string().regex(/^[0-9a-f]{128}$/, "is not 64 bytes of lower-case hex"),
});
export const identityRenewalsSchema = z.array(identityRenewalSchema).max(RENEWALS_MAX);
export type IdentityRenewal = Readonly<z.infer<typeof identityRenewalSchema>>;

/** The parts of a roster that renewals are checked against. */
interface RenewedRoster {
  readonly clusterId: string;
  readonly authorityKey: string;
  readonly signers: readonly { readonly index: number; readonly identityKey: string }[];
  /** the first one first */
  readonly renewals?: readonly IdentityRenewal[] | undefined;
}

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

/** The identities that a signer had before. */
export const earlierIdentities = (
  { renewals = [] }: Pick<RenewedRoster, "renewals">,
  signer: number,
): readonly EarlierIdentity[] =>
  renewals.flatMap((each, renewal) =>
    each.signer === signer ? [{ identity: bytes(each.identityKey), renewal }] : [],
  );

/** The identities at each time, by the digest that receipts name: today's first. */
const clustersOverTime = (roster: Omit<RenewedRoster, "authorityKey">): readonly string[] => {
  const members = roster.signers.flatMap(({ index, identityKey }) => {
    const party = partyIndex(index);
    const member = { identity: bytes(identityKey), earlier: earlierIdentities(roster, index) };
    return party === undefined ? [] : [[party, member] as const];
  });
  return identitiesOverTime(new Map(members)).map(clusterOf);
};

const bytesOf = (
  { clusterId: cluster, renewals = [] }: Pick<RenewedRoster, "clusterId" | "renewals">,
  clusters: readonly string[],
  at: number,
): Uint8Array => {
  const { signer, date } = renewals[at] ?? {};
  const [after, before] = clusters.slice(renewals.length - 1 - at);
  const fields = { kind: "conclave/v1/identity-renewal", cluster, renewal: at, signer, before, after, date };
  return new Uint8Array(Buffer.from(JSON.stringify(fields), "utf8"));
};

/**
 * The bytes that the authority signs for the last renewal of a roster: JSON text. They name all identities before and after it, so that nobody
 * takes a renewal out of a roster, exchanges two, or uses one in another cluster.
 */
export const renewalBytes = (roster: Omit<RenewedRoster, "authorityKey">): Uint8Array =>
  bytesOf(roster, clustersOverTime(roster), (roster.renewals ?? []).length - 1);

/** Whether the authority signed each renewal, of a signer that there is, and no identity was ever used twice. */
export const areRenewalsSigned = (roster: RenewedRoster): boolean => {
  const { signers, renewals = [] } = roster;
  const identities = [...signers, ...renewals].map(({ identityKey }) => identityKey);
  if (new Set(identities).size !== identities.length) return false;
  if (renewals.some(({ signer }) => signers.every(({ index }) => index !== signer))) return false;
  const clusters = clustersOverTime(roster);
  const authority = bytes(roster.authorityKey);
  return renewals.every(({ signature }, at) =>
    verifyEd25519(bytes(signature), bytesOf(roster, clusters, at), authority),
  );
};
