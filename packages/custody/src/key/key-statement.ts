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
  /** id of the cluster, as its roster has it */
  cluster: z.string().max(64),
  /** roster index of the signer that says it */
  signer: z.int().min(1).max(MOST_CLUSTER_SIGNERS),
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  /** made by the signers together, or brought by a client, who knows it whole */
  origin: z.enum(["generated", "imported"]),
  /** t: so many signers sign together */
  threshold: z.int().min(2).max(MOST_CLUSTER_SIGNERS),
  /** n: so many hold a share */
  total: z.int().min(2).max(MOST_CLUSTER_SIGNERS),
  scheme: z.enum(KEY_SCHEMES),
  /** lower-case hex without 0x, as the scheme writes it */
  publicKey: z.string().regex(/^([0-9a-f]{2}){32,33}$/),
  /** when the key was asked for, by the authority, ISO 8601 UTC */
  date: z.iso.datetime(),
});

/** The statement of one signer on a key of which it holds an active share. */
export type KeyStatement = Omit<z.output<typeof statementSchema>, "kind">;
/** The part of a statement that is the same for all signers. */
export type StatedKey = Omit<KeyStatement, "signer">;

/**
 * The bytes that a signer's identity key signs: JSON text, its fields in this order. They begin as those of older attestations,
 * receipts and waivers do, and name another kind.
 */
export const statementBytes = (said: KeyStatement): Uint8Array => {
  const { cluster, signer, orgId, keyId, origin, threshold, total, scheme, publicKey, date } = said;
  const kind = "conclave/v2/key-attestation";
  const fields = { cluster, signer, orgId, keyId, origin, threshold, total, scheme, publicKey, date };
  return utf8ToBytes(JSON.stringify({ kind, ...fields }));
};

/** Reads a statement; undefined unless it is written exactly as `statementBytes` writes it. */
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
    // nothing in a statement is beyond ASCII: other bytes are not written again as they were
    return JSON.parse(String.fromCharCode(...bytes));
  } catch {
    return undefined;
  }
};

/** A statement as it travels, with the Ed25519 signature of the signer's identity key over it. */
export interface SignedStatement {
  readonly statement: Uint8Array;
  readonly signature: Uint8Array;
}

/** The signatures of one signer on a key. */
export interface KeyAttestation {
  /** over `attestationBytes`: the form of the version before, which says neither cluster nor origin */
  readonly signature: Uint8Array;
  /** absent from a signer of the version before, and from one that does not know how it came by the key */
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
 * Which signers said something else of a key than what is expected, or not by their own identity key.
 *
 * @param given of each signer, by index, ascending; undefined counts as wrong
 * @returns their ids
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

/** Which signers did not sign, in the form of the version before, that they hold this key. @returns their ids */
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
