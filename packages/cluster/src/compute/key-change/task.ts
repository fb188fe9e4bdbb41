import type { Envelope, PartyIndex, SchemeName, Secret, Session } from "@conclave/threshold";

export interface RefreshTask {
  readonly kind: "open-refresh";
  readonly parties: readonly PartyIndex[];
  readonly scheme: SchemeName;
  /** keyShareCodec of the scheme: the share as it is */
  readonly key: Secret<Uint8Array>;
  /** of the new shares */
  readonly nextEpoch: number;
}

export interface ReshareTask {
  readonly kind: "open-reshare";
  /** dealers and receivers: all of them receive */
  readonly parties: readonly PartyIndex[];
  readonly scheme: SchemeName;
  /** publicKeyInfoCodec of the scheme: the key as it is */
  readonly info: Uint8Array;
  /** keyShareCodec of the scheme, of a dealer */
  readonly key?: Secret<Uint8Array>;
  readonly dealers: readonly PartyIndex[];
  readonly threshold: number;
  /** of the new shares */
  readonly nextEpoch: number;
}

/** A share of a key's next epoch, as it goes to the store. */
export interface ChangedKey {
  /** keyShareCodec of the scheme, of the next epoch */
  readonly share: Secret<Uint8Array>;
  readonly keyId: string;
  readonly epoch: number;
  readonly publicKey: Uint8Array;
  readonly chainCode: Uint8Array;
  /** keyDigest of the next epoch: the same on every signer */
  readonly digest: Uint8Array;
}

export interface KeyChangedResult extends ChangedKey {
  readonly kind: "key-changed";
  readonly send: readonly Envelope[];
}

export interface RunningKeyChange {
  readonly kind: "key-change";
  readonly session: Session<ChangedKey>;
}
