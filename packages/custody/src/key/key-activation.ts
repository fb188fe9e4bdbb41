import { type Problem, problem } from "../errors.ts";
import type { KeyId } from "../identifiers.ts";
import type { Network } from "../network.ts";
import type { CreatingKey, KeyEvent } from "./key.ts";
import {
  type AttestingCluster,
  type IdentityVerifier,
  type KeyAttestation,
  readStatement,
  wrongOlderAttestations,
  wrongStatements,
} from "./key-statement.ts";

/** A key that an orchestrator claims the signers made. The claim is checked, not trusted. */
export interface ClaimedKey {
  readonly key: CreatingKey;
  /** lower-case hex, as the scheme writes it */
  readonly publicKey: string;
  /** only for a Taproot key, lower-case hex: the point whose shares the signers hold */
  readonly internalKey: string | undefined;
  /** of all signers of the roster, by index, ascending */
  readonly attestations: readonly KeyAttestation[];
  /** the networks of the wallets that wait for the key */
  readonly networks: readonly Network[];
  /** another key of the organisation with the same public key; looked up only for imported keys */
  readonly duplicate: KeyId | undefined;
}

/** The facts and functions by which a claim is checked. */
export interface ClaimChecks {
  /** all signers of one of these must attest: the current cluster first, then earlier ones while the members change */
  readonly clusters: readonly AttestingCluster[];
  readonly verify: IdentityVerifier;
  /** Whether a Taproot key's internal key becomes this public key without a script tree (BIP-341). */
  readonly isInternalKeyOf: (internalKey: string, publicKey: string) => boolean;
  /** The key's address on a network; undefined on a pseudo network, which has no addresses. */
  readonly addressOn: (network: Network, publicKey: string) => string | undefined;
}

/** The event that ends a key's creation. */
export type KeyCreated = Extract<KeyEvent, { readonly kind: "Activated" | "GenerationFailed" }>;

/**
 * Decides whether a claimed key becomes active. All signers of the roster must attest that they hold it. No
 * imported key may exist twice in an organisation: two keys with one address would assign the same account
 * nonces.
 *
 * @param date of the activation, ISO 8601 UTC
 * @returns Activated with the addresses of the waiting wallets; GenerationFailed with KeyGenerationFailed or
 * KeyImportFailed, which names the signers whose attestation is missing or wrong, or with KeyImportDuplicate
 */
export const judgeClaimedKey = (claimed: ClaimedKey, checks: ClaimChecks, date: string): KeyCreated => {
  const reason = problemOf(claimed, checks);
  if (reason !== undefined) return { kind: "GenerationFailed", problem: reason };
  const { publicKey, internalKey, networks } = claimed;
  const addresses = new Map<Network, string>();
  for (const network of networks) {
    const address = checks.addressOn(network, publicKey);
    if (address !== undefined) addresses.set(network, address);
  }
  return { kind: "Activated", publicKey, internalKey, addresses, date };
};

const problemOf = (
  { key, publicKey, internalKey, attestations, duplicate }: ClaimedKey,
  checks: ClaimChecks,
): Problem | undefined => {
  const code = key.origin === "imported" ? "KeyImportFailed" : "KeyGenerationFailed";
  const signers = notAttestedBy(checks, key, publicKey, attestations);
  if (signers.length > 0) {
    return problem(code, { reason: "signers do not say that they hold this key", signers });
  }
  // signers attest the output key; only one internal key is tweaked to it, so the internal key needs no
  // attestation
  const isOwn = key.scheme === "FROST-Taproot" && internalKey !== undefined;
  const isFit = isOwn ? checks.isInternalKeyOf(internalKey, publicKey) : internalKey === undefined;
  if (!isFit) return problem(code, { reason: "the internal key is another's" });
  if (key.origin !== "imported" || duplicate === undefined) return undefined;
  return problem("KeyImportDuplicate", { duplicate: { id: duplicate } });
};

/**
 * The ids of the signers whose attestation of this key is missing or different. A signer of the previous
 * version makes no statement; the other signers' statements must be right all the same.
 */
const notAttestedBy = (
  { clusters, verify }: Pick<ClaimChecks, "clusters" | "verify">,
  key: CreatingKey,
  publicKey: string,
  attestations: readonly KeyAttestation[],
): readonly string[] => {
  const missing = clusters.map((cluster) => notAttestedIn({ cluster, verify }, key, publicKey, attestations));
  const [ofToday] = missing;
  if (ofToday === undefined) throw new Error("a cluster has signers");
  return missing.some((ids) => ids.length === 0) ? [] : ofToday;
};

const notAttestedIn = (
  { cluster, verify }: { readonly cluster: AttestingCluster } & Pick<ClaimChecks, "verify">,
  { id: keyId, orgId, origin, scheme }: CreatingKey,
  publicKey: string,
  attestations: readonly KeyAttestation[],
): readonly string[] => {
  if (attestations.length > cluster.signers.length) return cluster.signers.map(({ id }) => id);
  const signatures = attestations.map(({ signature }) => signature);
  const unsigned = wrongOlderAttestations(cluster, { keyId, scheme, publicKey }, signatures, verify);
  if (unsigned.length > 0) return unsigned;
  const given = cluster.signers.map((_, at) => attestations[at]?.stated);
  const first = given.find((stated) => stated !== undefined);
  if (first === undefined) return [];
  // all statements have the date of the authority's request
  const date = readStatement(first.statement)?.date ?? "";
  const expected = { orgId, keyId, origin, scheme, publicKey, date };
  const wrong = wrongStatements(cluster, expected, given, verify);
  return cluster.signers.flatMap(({ id }, at) => (given[at] !== undefined && wrong.includes(id) ? [id] : []));
};
