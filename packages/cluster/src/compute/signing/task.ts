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

/**
 * The online round, with the presignature that this session made. The state machine asks for it only once the tombstone
 * is durable.
 */
export interface SigningTask {
  readonly kind: "open-signing";
  readonly digest: Uint8Array;
}

/**
 * The online round in a session of its own, with a presignature of the pool. The state machine asks for it only once
 * the tombstone is durable and the presignature's record is deleted (INV-2).
 */
export interface PooledSigningTask {
  readonly kind: "open-pooled-signing";
  /** 64 lower-case hex digits; the bytes must be those of this presignature */
  readonly id: string;
  /** presignatureCodec */
  readonly presignature: Secret<Uint8Array>;
  /** the current key: a presignature of another key or epoch does not sign */
  readonly key: Pick<PublicKeyInfo, "keyId" | "epoch">;
  readonly digest: ObservedDigest;
}

/**
 * A FROST signing session. It makes its nonces now and keeps them in the host's memory alone; it signs at most once and
 * is never resumed (INV-2).
 */
export interface FrostTask {
  readonly kind: "open-frost";
  readonly signers: readonly PartyIndex[];
  /** the key's scheme; never CGGMP24 */
  readonly scheme: SchemeName;
  /** keyShareCodec of the scheme */
  readonly key: Secret<Uint8Array>;
  /** the whole content that this signer read in the authorised request */
  readonly message: Uint8Array;
  /** the root of a Taproot key's script tree, from the authorised request; undefined for an empty tree */
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
