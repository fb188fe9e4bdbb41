/**
 * A digest that this signer computed itself, from a whole message that it read and understood. Only such a digest may
 * meet a presignature of the pool: an attacker who knows the nonce and then chooses a raw digest forges a signature
 * of another message (P7). A digest that a caller hands in does not fit this type, so it cannot compile into that
 * path.
 */
export interface ObservedDigest {
  /** the content from which it was computed */
  readonly from: "transaction" | "content";
  /** 32 bytes */
  readonly bytes: Uint8Array;
}

/**
 * A digest that somebody chose and the authority authorised as such. It is signed only by a session that makes its own
 * presignature, which nobody knows when the run begins that binds the digest.
 */
export interface ChosenDigest {
  readonly from: "caller";
  /** 32 bytes */
  readonly bytes: Uint8Array;
}

export type SigningDigest = ObservedDigest | ChosenDigest;

export const isObserved = (digest: SigningDigest): digest is ObservedDigest => digest.from !== "caller";
