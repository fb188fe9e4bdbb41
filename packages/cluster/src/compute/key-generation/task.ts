import type { Envelope, PartyIndex, SchemeName, Secret, Session } from "@conclave/threshold";

export interface KeyGenerationTask {
  readonly kind: "open-key";
  readonly parties: readonly PartyIndex[];
  readonly keyId: string;
  readonly scheme: SchemeName;
  readonly threshold: number;
  readonly epoch: number;
}

/** A key that was generated or imported, as it goes to the store. */
export interface MadeKey {
  /** keyShareCodec */
  readonly share: Secret<Uint8Array>;
  readonly keyId: string;
  /** in the encoding of its scheme: 33 bytes for ECDSA, 32 otherwise */
  readonly publicKey: Uint8Array;
  /** 32 bytes */
  readonly chainCode: Uint8Array;
}

export interface KeyResult extends MadeKey {
  readonly kind: "key";
  readonly send: readonly Envelope[];
}

export interface RunningKeyGeneration {
  readonly kind: "keygen";
  readonly session: Session<MadeKey>;
}
