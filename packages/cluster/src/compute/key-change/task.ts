import type { Envelope, PartyIndex, SchemeName, Secret, Session } from "@conclave/threshold";

export interface RefreshTask {
  readonly kind: "open-refresh";
  readonly parties: readonly PartyIndex[];
  readonly scheme: SchemeName;
  /** keyShareCodec of the scheme: the current share */
  readonly key: Secret<Uint8Array>;
  /** the epoch of the new shares */
  readonly nextEpoch: number;
}

export interface ReshareTask {
  readonly kind: "open-reshare";
  /** dealers and receivers, ascending */
  readonly parties: readonly PartyIndex[];
  readonly scheme: SchemeName;
  /** publicKeyInfoCodec of the scheme: the current key */
  readonly info: Uint8Array;
  /** keyShareCodec of the scheme; a dealer's alone */
  readonly key?: Secret<Uint8Array>;
  readonly dealers: readonly PartyIndex[];
  readonly receivers: readonly PartyIndex[];
  /** t of the new shares */
  readonly threshold: number;
  /** the epoch of the new shares */
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
  /** keyDigest of the next epoch: equal on all signers */
  readonly digest: Uint8Array;
}

export interface KeyChangedResult extends ChangedKey {
  readonly kind: "key-changed";
  readonly send: readonly Envelope[];
}

/** The result at a dealer that receives no share: it knows the next epoch and holds no part of it. */
export interface ReleasedDealer {
  readonly keyId: string;
  readonly epoch: number;
  /** keyDigest of the next epoch */
  readonly digest: Uint8Array;
}

export interface DealerReleasedResult extends ReleasedDealer {
  readonly kind: "dealer-released";
  readonly send: readonly Envelope[];
}

/** The output of a change for one party. */
export type ChangeOutput =
  | ({ readonly kind: "key-changed" } & ChangedKey)
  | ({ readonly kind: "dealer-released" } & ReleasedDealer);

export interface RunningKeyChange {
  readonly kind: "key-change";
  readonly session: Session<ChangeOutput>;
}
