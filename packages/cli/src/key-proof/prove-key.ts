import { identitiesOverTime } from "@conclave/cluster";
import {
  type AttestingCluster,
  AUTHORISATION_AGE_MS_MAX,
  type IdentityVerifier,
  type KeyAttestation,
  readStatement,
  type StatedKey,
  wrongOlderAttestations,
  wrongStatements,
} from "@conclave/custody";
import { type IdentityRenewal, membersOf, type Roster } from "@conclave/platform/config";
import { taprootOutputKey, verifyEd25519 } from "@conclave/threshold";
import type { ReadAttestations } from "./attestations-file.ts";

type AttestationsFile = Extract<ReadAttestations, { readonly kind: "attestations" }>["file"];

/** The signers that signed it by an identity that was renewed since, by their ids. */
interface BeforeRenewals {
  readonly renewed: readonly string[];
}

/** The proof that a file gives of a key, by a pinned roster. */
export type KeyProof =
  /** all signers state all of this */
  | ({ readonly kind: "stated"; readonly key: StatedKey } & BeforeRenewals)
  /** all signers hold the key, and no more is proven: some of them say it in the form of the version before alone */
  | ({
      readonly kind: "held";
      readonly key: Pick<StatedKey, "keyId" | "scheme" | "publicKey">;
    } & BeforeRenewals)
  | { readonly kind: "unproven"; readonly why: string };

const bytesOf = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits, "hex"));

/** A pinned cluster, with the identities that its signers had before. */
export type PinnedCluster = AttestingCluster & Pick<Roster, "signers" | "renewals">;

/** The cluster as it was at a time, and the renewal that ended that time; none of today. */
interface ClusterThen {
  readonly cluster: AttestingCluster;
  readonly ended?: IdentityRenewal;
}

/** The cluster at each time, today's first: all signers attest a key by the identities of one. */
const clusterOverTime = (pinned: PinnedCluster): readonly ClusterThen[] => {
  const { renewals = [] } = pinned;
  return identitiesOverTime(membersOf(pinned)).map((identities, at) => {
    const members = [...identities.values()].map(({ identity }) => Buffer.from(identity).toString("hex"));
    const signers = pinned.signers.map((signer, place) => ({
      ...signer,
      identityKey: members[place] ?? signer.identityKey,
    }));
    const ended = renewals[renewals.length - at];
    return { cluster: { ...pinned, signers }, ...(ended && { ended }) };
  });
};

const verify: IdentityVerifier = (signature, message, identityKey) =>
  verifyEd25519(signature, message, bytesOf(identityKey));

const attestationOf = ({
  signature,
  statement,
  statementSignature,
}: AttestationsFile["attestations"][number]): KeyAttestation =>
  statement === undefined
    ? { signature: bytesOf(signature) }
    : {
        signature: bytesOf(signature),
        stated: {
          statement: new Uint8Array(Buffer.from(statement, "utf8")),
          signature: bytesOf(statementSignature ?? ""),
        },
      };

const isOfOutputKey = ({ scheme, publicKey, internalKey }: AttestationsFile): boolean => {
  if (internalKey === undefined) return true;
  const output = scheme === "FROST-Taproot" ? taprootOutputKey(bytesOf(internalKey)) : undefined;
  return output !== undefined && Buffer.from(output).toString("hex") === publicKey;
};

const unproven = (why: string): KeyProof => ({ kind: "unproven", why });
const by = (ids: readonly string[]): string => ids.join(", ");

/**
 * Judges the attestations of a key by the roster alone, by the identities that its signers have, or had all at one time. The sender of the file
 * is not believed: key, scheme and public key in it count only as far as every signer of the roster signed them.
 */
export const proveKey = (pinned: PinnedCluster, file: AttestationsFile): KeyProof => {
  const [today, ...earlier] = clusterOverTime(pinned);
  if (today === undefined) return unproven("the roster has no signers");
  const now = proveAt(today, file);
  if (now.kind !== "unproven") return now;
  for (const then of earlier) {
    const proof = proveAt(then, file);
    if (proof.kind === "unproven") continue;
    if (isAskedForAfter(then, proof)) {
      return unproven("it was asked for after an identity by which it is attested had been renewed");
    }
    const renewed = pinned.signers.filter(
      ({ identityKey }, at) => then.cluster.signers[at]?.identityKey !== identityKey,
    );
    return renewed.length === pinned.signers.length
      ? unproven("every signer has another identity since: who has all the old ones can make this")
      : { ...proof, renewed: renewed.map(({ id }) => id) };
  }
  return now;
};

/** A signer attests a key within this time after it was asked for: so long an authorisation lives. */
const ATTESTED_MS = AUTHORISATION_AGE_MS_MAX;

const isAskedForAfter = ({ ended }: ClusterThen, proof: KeyProof): boolean =>
  ended !== undefined &&
  proof.kind === "stated" &&
  Date.parse(proof.key.date) > Date.parse(ended.date) + ATTESTED_MS;

const proveAt = ({ cluster }: ClusterThen, file: AttestationsFile): KeyProof => {
  const { keyId, scheme, publicKey, attestations } = file;
  if (attestations.length === 0)
    return unproven("no signer attests it: it was made before attestations were kept");
  const isWhole =
    attestations.length === cluster.signers.length &&
    attestations.every(({ signer }, at) => signer === at + 1);
  if (!isWhole)
    return unproven(
      `it has not one attestation of each of the ${cluster.signers.length} signers of the roster`,
    );
  if (!isOfOutputKey(file)) return unproven("its internal key is another key's");
  const given = attestations.map(attestationOf);
  const stated = given.map((each) => each.stated);
  const [first] = stated.filter((each) => each !== undefined);
  if (first !== undefined) {
    const said = readStatement(first.statement);
    if (said === undefined) return unproven("a statement in it is malformed");
    const { orgId, origin, date } = said;
    const expected = { orgId, keyId, origin, scheme, publicKey, date };
    const wrong = wrongStatements(cluster, expected, stated, verify);
    const silent = cluster.signers.filter((_, at) => stated[at] === undefined).map(({ id }) => id);
    const apart = wrong.filter((id) => !silent.includes(id));
    if (apart.length > 0) return unproven(`${by(apart)} did not sign what it says of the key`);
    if (silent.length === 0) {
      const { clusterId, threshold, signers } = cluster;
      const key = { ...expected, cluster: clusterId, threshold, total: signers.length };
      return { kind: "stated", key, renewed: [] };
    }
  }
  const key = { keyId, scheme, publicKey };
  const signatures = given.map(({ signature }) => signature);
  const unsigned = wrongOlderAttestations(cluster, key, signatures, verify);
  return unsigned.length === 0
    ? { kind: "held", key, renewed: [] }
    : unproven(`${by(unsigned)} did not sign that it holds this key`);
};
