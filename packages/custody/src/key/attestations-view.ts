import { bytesToHex } from "@noble/hashes/utils.js";
import type { ActiveKey, ArchivedKey } from "./key.ts";
import type { KeyScheme } from "./key-format.ts";
import type { KeyAttestation } from "./key-statement.ts";

/** What all signers attested of a key, as the API answers it, and as `conclave verify-key` reads it from a file. */
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

/** What a view shows of a key. */
type AttestedFacts = Pick<ActiveKey | ArchivedKey, "id" | "scheme" | "publicKey" | "internalKey">;

/** @param attestations of each signer of the roster, by index, ascending */
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
  attestations: attestations.map(({ signature, stated }, at) => ({
    signer: at + 1,
    signature: bytesToHex(signature),
    ...(stated === undefined
      ? {}
      : {
          statement: String.fromCharCode(...stated.statement),
          statementSignature: bytesToHex(stated.signature),
        }),
  })),
});
