/**
 * A digest that this signer computed itself, from a whole message that it read and understood. Only such a digest may
 * be signed with a presignature of the pool: an attacker who knows the nonce and then chooses a raw digest forges a
 * signature of another message (P7). The compiler rejects a digest from a caller on that path, as it is of another
 * type.
 */
export interface ObservedDigest {
  /** the kind of content that was hashed */
  readonly from: "transaction" | "content";
  /** 32 bytes */
  readonly bytes: Uint8Array;
}

/**
 * A digest that the caller chose and the authority authorised as such. Only a session that makes its own presignature
 * signs it: nobody knows that presignature when the run, which binds the digest, begins.
 */
export interface ChosenDigest {
  readonly from: "caller";
  /** 32 bytes */
  readonly bytes: Uint8Array;
}

export type SigningDigest = ObservedDigest | ChosenDigest;

export const isObserved = (digest: SigningDigest): digest is ObservedDigest => digest.from !== "caller";
