import type { SchemeName, Secret } from "@conclave/threshold";

/** Seals our share for the client that exports the key. One task, without a session. */
export interface KeyExportTask {
  readonly kind: "seal-export";
  readonly scheme: SchemeName;
  /** keyShareCodec of the scheme */
  readonly key: Secret<Uint8Array>;
  /** the client's key: 34 or 66 bytes */
  readonly encryptionKey: Uint8Array;
  readonly withChainCode: boolean;
}

export interface ExportedResult {
  readonly kind: "exported";
  /** the share, sealed; the client's key opens it */
  readonly envelope: Uint8Array;
  /** the point whose shares these are: for Taproot the internal key */
  readonly publicKey: Uint8Array;
}
