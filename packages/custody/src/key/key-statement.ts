import { utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { keyIdSchema, organisationIdSchema } from "../identifiers.ts";
import { attestationBytes } from "./key-attestation.ts";
import { KEY_SCHEMES } from "./key-format.ts";
import { MOST_CLUSTER_SIGNERS } from "./key-passage-body.ts";

/** The longest statement, in bytes. */
export const STATEMENT_BYTES_MAX = 1_024;

const statementSchema = z.strictObject({
  kind: z.literal("conclave/v2/key-attestation"),
  /** the cluster's id, from its roster */
  cluster: z.string().max(64),
  /** roster index of the signer that signs the statement */
  signer: z.int().min(1).max(MOST_CLUSTER_SIGNERS),
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  /** made by the signers together, or imported by a client that knows the whole key */
  origin: z.enum(["generated", "imported"]),
  /** t: the number of signers that sign together */
  threshold: z.int().min(2).max(MOST_CLUSTER_SIGNERS),
  /** n: the number of signers that hold a share */
  total: z.int().min(2).max(MOST_CLUSTER_SIGNERS),
  scheme: z.enum(KEY_SCHEMES),
  /** lower-case hex without 0x, encoded as the scheme does */
  publicKey: z.string().regex(/^([0-9a-f]{2}){32,33}$/),
  /** when the authority requested the key, ISO 8601 UTC */
  date: z.iso.datetime(),
});

/** The statement of one signer about a key of which it holds an active share. */
export type KeyStatement = Omit<z.output<typeof statementSchema>, "kind">;
/** The part of a statement that is the same for all signers. */
export type StatedKey = Omit<KeyStatement, "signer">;

/**
 * The bytes that a signer's identity key signs: JSON text, its fields in this order. They begin with `{` and
 * `kind`, like older attestations, receipts and waivers, but with a kind of their own.
 */
export const statementBytes = (said: KeyStatement): Uint8Array => {
  const { cluster, signer, orgId, keyId, origin, threshold, total, scheme, publicKey, date } = said;
  const kind = "conclave/v2/key-attestation";
  const fields = { cluster, signer, orgId, keyId, origin, threshold, total, scheme, publicKey, date };
  return utf8ToBytes(JSON.stringify({ kind, ...fields }));
};

/** Reads a statement; undefined unless its bytes are exactly those of `statementBytes`. */
export const readStatement = (bytes: Uint8Array): KeyStatement | undefined => {
  if (bytes.length > STATEMENT_BYTES_MAX) return undefined;
  const parsed = statementSchema.safeParse(jsonIn(bytes));
  if (!parsed.success) return undefined;
  const { kind, ...said } = parsed.data;
  const written = statementBytes(said);
  return written.length === bytes.length && written.every((byte, at) => byte === bytes[at])
    ? said
    : undefined;
};

const jsonIn = (bytes: Uint8Array): unknown => {
  try {
    // a statement is ASCII: with other bytes, the comparison in `readStatement` fails
    return JSON.parse(String.fromCharCode(...bytes));
  } catch {
    return undefined;
  }
};

/** A statement as it is sent, with the Ed25519 signature of the signer's identity key over it. */
export interface SignedStatement {
  readonly statement: Uint8Array;
  readonly signature: Uint8Array;
}

/** The signatures of one signer about one key. */
export interface KeyAttestation {
  /** over `attestationBytes`: the form of the previous version, which names neither cluster nor origin */
  readonly signature: Uint8Array;
  /** absent from a signer of the previous version, and from a signer that does not know the key's origin */
  readonly stated?: SignedStatement | undefined;
}

/** The cluster as the pinned roster describes it. */
export interface AttestingCluster {
  readonly clusterId: string;
  readonly threshold: number;
  /** by index, ascending */
  readonly signers: readonly { readonly index: number; readonly id: string; readonly identityKey: string }[];
}

/**
 * Ed25519 verification; must not throw.
 * @param identityKey lower-case hex, from the roster
 */
export type IdentityVerifier = (signature: Uint8Array, message: Uint8Array, identityKey: string) => boolean;

/**
 * Finds the signers whose statement about a key is missing, differs from the expected one, or is not signed
 * by their identity key.
 *
 * @param given the statements of all signers, by index, ascending; undefined counts as wrong
 * @returns the ids of these signers
 */
export const wrongStatements = (
  cluster: AttestingCluster,
  expected: Omit<StatedKey, "cluster" | "threshold" | "total">,
  given: readonly (SignedStatement | undefined)[],
  verify: IdentityVerifier,
): readonly string[] => {
  const { clusterId, threshold, signers } = cluster;
  const said = { ...expected, cluster: clusterId, threshold, total: signers.length };
  return signers
    .filter(({ index: signer, identityKey }, at) => {
      const stated = given[at];
      if (stated === undefined) return true;
      const bytes = statementBytes({ ...said, signer });
      const isSame =
        bytes.length === stated.statement.length &&
        bytes.every((byte, place) => byte === stated.statement[place]);
      return !isSame || !verify(stated.signature, bytes, identityKey);
    })
    .map(({ id }) => id);
};

/** Finds the signers without a valid attestation in the form of the previous version. @returns their ids */
export const wrongOlderAttestations = (
  { signers }: Pick<AttestingCluster, "signers">,
  key: Pick<StatedKey, "keyId" | "scheme" | "publicKey">,
  signatures: readonly Uint8Array[],
  verify: IdentityVerifier,
): readonly string[] => {
  const message = attestationBytes(key);
  return signers
    .filter(({ identityKey }, at) => !verify(signatures[at] ?? NO_SIGNATURE, message, identityKey))
    .map(({ id }) => id);
};

const NO_SIGNATURE = new Uint8Array(0);
