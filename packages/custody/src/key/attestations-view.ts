import { bytesToHex } from "@noble/hashes/utils.js";
import type { ActiveKey, ArchivedKey } from "./key.ts";
import type { KeyScheme } from "./key-format.ts";
import { type KeyAttestation, readStatement } from "./key-statement.ts";

/** All signers' attestations of a key, as the API answers it, and as `conclave verify-key` reads it from a file. */
export interface KeyAttestationsView {
  readonly kind: "conclave-key-attestations";
  readonly version: 1;
  readonly clusterId: string;
  readonly keyId: string;
  readonly scheme: KeyScheme;
  /** as signers sign it: of a Taproot key the output key */
  readonly publicKey: string;
  /** of a Taproot key: the point that becomes the output key */
  readonly internalKey?: string;
  /** by signer, ascending; none of a key that a version before made */
  readonly attestations: readonly {
    readonly signer: number;
    /** over `attestationBytes`, in hex */
    readonly signature: string;
    /** the statement as it was signed, which is ASCII */
    readonly statement?: string;
    /** over the statement, in hex */
    readonly statementSignature?: string;
  }[];
}

/** The fields of a key in a view. */
type AttestedFacts = Pick<ActiveKey | ArchivedKey, "id" | "scheme" | "publicKey" | "internalKey">;

/** The index of a signer, as its statement has it. Versions that made none numbered all signers from 1. */
const signerOf = ({ stated }: KeyAttestation, at: number): number =>
  (stated && readStatement(stated.statement)?.signer) ?? at + 1;

/** @param attestations of each signer that held the key, by index, ascending */
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
