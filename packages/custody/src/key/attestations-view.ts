import { bytesToHex } from "@noble/hashes/utils.js";
import { z } from "zod";
import type { ActiveKey, ArchivedKey } from "./key.ts";
import { KEY_SCHEMES } from "./key-format.ts";
import { MOST_CLUSTER_SIGNERS } from "./key-passage-body.ts";
import { type KeyAttestation, readStatement } from "./key-statement.ts";

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));

/** All signers' attestations of a key, as the API returns them and `conclave verify-key` reads them from a file. */
export const keyAttestationsViewSchema = z.object({
  kind: z.enum(["conclave-key-attestations"]),
  version: z.literal(1),
  clusterId: z.string(),
  keyId: z.string(),
  scheme: z.enum(KEY_SCHEMES),
  /** the key that signers attest: for a Taproot key the output key */
  publicKey: z.string(),
  /** only for a Taproot key: the point that is tweaked to the output key */
  internalKey: z.string().optional(),
  /** by signer, ascending; empty for a key that an earlier version made */
  attestations: z
    .array(
      z.object({
        signer: z.int(),
        /** over `attestationBytes` */
        signature: hex(128),
        /** the signed statement, which is ASCII */
        statement: z.string().optional(),
        /** over the statement */
        statementSignature: hex(128).optional(),
      }),
    )
    .max(MOST_CLUSTER_SIGNERS)
    .readonly(),
});
export type KeyAttestationsView = z.infer<typeof keyAttestationsViewSchema>;

/** The fields of a key in a view. */
type AttestedFacts = Pick<ActiveKey | ArchivedKey, "id" | "scheme" | "publicKey" | "internalKey">;

/** The index of the signer, from its statement. Versions without statements numbered all signers from 1. */
const signerOf = ({ stated }: KeyAttestation, at: number): number =>
  (stated && readStatement(stated.statement)?.signer) ?? at + 1;

/** @param attestations of all signers that held the key, by index, ascending */
export const keyAttestationsView = (
  clusterId: string,
  { id, scheme, publicKey, internalKey }: AttestedFacts,
  attestations: readonly KeyAttestation[],
): KeyAttestationsView => ({
  kind: "conclave-key-attestations",
  version: 1,
  clusterId,
  keyId: id,
  scheme,
  publicKey,
  ...(internalKey === undefined ? {} : { internalKey }),
  attestations: attestations.map((attestation, at) => {
    const { signature, stated } = attestation;
    const signed = { signer: signerOf(attestation, at), signature: bytesToHex(signature) };
    if (stated === undefined) return signed;
    const statement = String.fromCharCode(...stated.statement);
    return { ...signed, statement, statementSignature: bytesToHex(stated.signature) };
  }),
});
