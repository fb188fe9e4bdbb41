import type {
  Envelope,
  PartyIndex,
  PublicKeyInfo,
  SchemeName,
  Secret,
  Session,
  Signature,
} from "@conclave/threshold";
import type { ObservedDigest } from "./observed-digest.ts";

/** The online round, with the presignature that this session made; asked for only after its tombstone is durable. */
export interface SigningTask {
  readonly kind: "open-signing";
  readonly digest: Uint8Array;
}

/**
 * The online round in a session of its own, with a presignature of the pool; asked for only after its tombstone is
 * durable and its record is gone (INV-2).
 */
export interface PooledSigningTask {
  readonly kind: "open-pooled-signing";
  /** 64 lower-case hex digits; the bytes must be those of this presignature */
  readonly id: string;
  /** presignatureCodec */
  readonly presignature: Secret<Uint8Array>;
  /** the key as it is now: a presignature of another key or epoch does not sign */
  readonly key: Pick<PublicKeyInfo, "keyId" | "epoch">;
  readonly digest: ObservedDigest;
}

/** The nonces are made now and live in the host alone: a session signs at most once, and is never resumed (INV-2). */
export interface FrostTask {
  readonly kind: "open-frost";
  readonly signers: readonly PartyIndex[];
  /** the key's; never CGGMP24 */
  readonly scheme: SchemeName;
  /** keyShareCodec of the scheme */
  readonly key: Secret<Uint8Array>;
  /** the content that this signer read in the authorised request, whole */
  readonly message: Uint8Array;
  /** of a Taproot key's script tree, as it stands in the authorised request; undefined for an empty one */
  readonly merkleRoot?: Uint8Array;
}

export interface SignatureResult {
  readonly kind: "signature";
  readonly signature: Signature;
  readonly send: readonly Envelope[];
}

export interface FrostSignatureResult {
  readonly kind: "frost-signature";
  /** 64 bytes that verify under the key */
  readonly signature: Uint8Array;
  readonly send: readonly Envelope[];
}

export interface RunningSigning {
  readonly kind: "sign";
  readonly session: Session<Signature>;
}

export interface RunningFrost {
  readonly kind: "frost";
  readonly session: Session<Uint8Array>;
}
