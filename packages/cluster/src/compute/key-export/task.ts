import type { SchemeName, Secret } from "@conclave/threshold";

/** Seals our share for a client that the key is handed out to; done at once, no session is opened. */
export interface KeyExportTask {
  readonly kind: "seal-export";
  readonly scheme: SchemeName;
  /** keyShareCodec of the scheme */
  readonly key: Secret<Uint8Array>;
  /** the client's: 34 or 66 bytes */
  readonly encryptionKey: Uint8Array;
  readonly withChainCode: boolean;
}

export interface ExportedResult {
  readonly kind: "exported";
  /** the envelope that the client's key opens */
  readonly envelope: Uint8Array;
  /** the point that t such shares are of: for Taproot the internal key */
  readonly publicKey: Uint8Array;
}
