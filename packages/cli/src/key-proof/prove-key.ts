import {
  type AttestingCluster,
  type IdentityVerifier,
  type KeyAttestation,
  readStatement,
  type StatedKey,
  wrongOlderAttestations,
  wrongStatements,
} from "@conclave/custody";
import type { Roster } from "@conclave/platform/config";
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
export type PinnedCluster = AttestingCluster & Pick<Roster, "renewals">;

/** Verifies by the identity that a signer has, or one that it had: a renewal takes nothing back that it attested before. */
const verifierOver = ({ signers, renewals = [] }: PinnedCluster): IdentityVerifier => {
  const earlierOf = (identityKey: string) =>
    renewals.filter(({ signer }) => signers[signer - 1]?.identityKey === identityKey);
  return (signature, message, identityKey) =>
    [identityKey, ...earlierOf(identityKey).map((each) => each.identityKey)].some((key) =>
      verifyEd25519(signature, message, bytesOf(key)),
    );
};

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

/** @param wrongBy the ids whose identity of today did not sign */
const renewedOf = (wrongBy: (verify: IdentityVerifier) => readonly string[]): BeforeRenewals => ({
  renewed: wrongBy((signature, message, identityKey) =>
    verifyEd25519(signature, message, bytesOf(identityKey)),
  ),
});

const unproven = (why: string): KeyProof => ({ kind: "unproven", why });
const by = (ids: readonly string[]): string => ids.join(", ");

/**
 * Judges the attestations of a key by the roster alone, each by an identity that its signer has or had. The sender of the file
 * is not believed: key, scheme and public key in it count only as far as every signer of the roster signed them.
 */
export const proveKey = (cluster: PinnedCluster, file: AttestationsFile): KeyProof => {
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
  const verify = verifierOver(cluster);
  const given = attestations.map(attestationOf);
  const stated = given.map((each) => each.stated);
  const [first] = stated.filter((each) => each !== undefined);
  if (first !== undefined) {
    const said = readStatement(first.statement);
    if (said === undefined) return unproven("a statement in it is malformed");
    const { orgId, origin, date } = said;
    const expected = { orgId, keyId, origin, scheme, publicKey, date };
    const wrongBy = (one: IdentityVerifier) => wrongStatements(cluster, expected, stated, one);
    const wrong = wrongBy(verify);
    const silent = cluster.signers.filter((_, at) => stated[at] === undefined).map(({ id }) => id);
    const apart = wrong.filter((id) => !silent.includes(id));
    if (apart.length > 0) return unproven(`${by(apart)} did not sign what it says of the key`);
    if (silent.length === 0) {
      const { clusterId, threshold, signers } = cluster;
      const key = { ...expected, cluster: clusterId, threshold, total: signers.length };
      return { kind: "stated", key, ...renewedOf(wrongBy) };
    }
  }
  const key = { keyId, scheme, publicKey };
  const signatures = given.map(({ signature }) => signature);
  const unsignedBy = (one: IdentityVerifier) => wrongOlderAttestations(cluster, key, signatures, one);
  const unsigned = unsignedBy(verify);
  return unsigned.length === 0
    ? { kind: "held", key, ...renewedOf(unsignedBy) }
    : unproven(`${by(unsigned)} did not sign that it holds this key`);
};
