import {
  AUTHORISATION_AGE_MS_MAX,
  type IdentityVerifier,
  type KeyAttestation,
  readStatement,
  type StatedKey,
  wrongOlderAttestations,
  wrongStatements,
} from "@conclave/custody";
import {
  type AttestingTime,
  attestingClusters,
  type Roster,
  type RosterEvent,
} from "@conclave/platform/config";
import { taprootOutputKey, verifyEd25519 } from "@conclave/threshold";
import type { ReadAttestations } from "./attestations-file.ts";

type AttestationsFile = Extract<ReadAttestations, { readonly kind: "attestations" }>["file"];

/**
 * The signers that attested a key; of these, by id, the signers whose identity was renewed since, and those that were
 * removed.
 */
interface AttestedBy {
  /** number of signers */
  readonly of: number;
  /** the end of the time at which these were the cluster's signers, ISO 8601 UTC; absent if they are today */
  readonly until?: string;
  readonly renewed: readonly string[];
  readonly removed: readonly string[];
}

/** The facts that a file proves of a key, by a pinned roster. */
export type KeyProof =
  /** all signers signed the full statement */
  | ({ readonly kind: "stated"; readonly key: StatedKey } & AttestedBy)
  /** all signers hold the key, and nothing more is proven: some signed only the previous version's form */
  | ({
      readonly kind: "held";
      readonly key: Pick<StatedKey, "keyId" | "scheme" | "publicKey">;
    } & AttestedBy)
  | { readonly kind: "unproven"; readonly why: string };

const bytesOf = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits, "hex"));

/** A pinned cluster, with its history. */
export type PinnedCluster = Pick<
  Roster,
  "clusterId" | "threshold" | "signers" | "renewals" | "changes" | "change"
>;

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
 * Judges the attestations of a key by the pinned roster alone: by the signers' present identities, or by all identities
 * of one earlier time. The file itself is untrusted: its key, scheme and public key count only if every signer of that
 * time signed them.
 */
export const proveKey = (pinned: PinnedCluster, file: AttestationsFile): KeyProof => {
  const [today, ...earlier] = attestingClusters(pinned);
  if (today === undefined) return unproven("the roster has no signers");
  const now = proveAt(today, file);
  if (now.kind !== "unproven") return now;
  for (const then of earlier) {
    const proof = proveAt(then, file);
    if (proof.kind === "unproven") continue;
    if (isAskedForAfter(then, proof)) {
      return unproven("it was asked for after an identity by which it is attested had ended");
    }
    const since = sinceThen(pinned, then);
    return since.renewed.length + since.removed.length === then.cluster.signers.length
      ? unproven("every signer has another identity since: who has all the old ones can make this")
      : { ...proof, ...since };
  }
  return now;
};

/** The signers of an earlier time whose identity has changed since, and those that were removed since. */
const sinceThen = (pinned: PinnedCluster, { cluster, ended }: AttestingTime): Omit<AttestedBy, "of"> => {
  const today = new Map(pinned.signers.map(({ index, identityKey }) => [index, identityKey]));
  const removed = cluster.signers.filter(({ index }) => !today.has(index));
  const renewed = cluster.signers.filter(
    ({ index, identityKey }) => today.has(index) && today.get(index) !== identityKey,
  );
  const isToday =
    removed.length === 0 &&
    cluster.signers.length === pinned.signers.length &&
    cluster.threshold === pinned.threshold;
  const until = isToday || ended === undefined ? undefined : dateOf(ended);
  return {
    renewed: renewed.map(({ id }) => id),
    removed: removed.map(({ id }) => id),
    ...(until === undefined ? {} : { until }),
  };
};

const dateOf = (event: RosterEvent): string =>
  event.kind === "renewal" ? event.renewal.date : event.change.date;

/** A signer attests a key within this time after its request: an authorisation is valid no longer. */
const ATTESTED_MS = AUTHORISATION_AGE_MS_MAX;

const isAskedForAfter = ({ ended }: AttestingTime, proof: KeyProof): boolean => {
  if (ended === undefined || proof.kind !== "stated") return false;
  return Date.parse(proof.key.date) > Date.parse(dateOf(ended)) + ATTESTED_MS;
};

const proveAt = ({ cluster }: AttestingTime, file: AttestationsFile): KeyProof => {
  const { keyId, scheme, publicKey, attestations } = file;
  if (attestations.length === 0)
    return unproven("no signer attests it: it was made before attestations were kept");
  const isWhole =
    attestations.length === cluster.signers.length &&
    attestations.every(({ signer }, at) => signer === cluster.signers[at]?.index);
  if (!isWhole)
    return unproven(
      `it has not one attestation of each of the ${cluster.signers.length} signers of the roster`,
    );
  if (!isOfOutputKey(file)) return unproven("its internal key is another key's");
  const of = { of: cluster.signers.length, renewed: [], removed: [] };
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
      return { kind: "stated", key, ...of };
    }
  }
  const key = { keyId, scheme, publicKey };
  const signatures = given.map(({ signature }) => signature);
  const unsigned = wrongOlderAttestations(cluster, key, signatures, verify);
  return unsigned.length === 0
    ? { kind: "held", key, ...of }
    : unproven(`${by(unsigned)} did not sign that it holds this key`);
};
