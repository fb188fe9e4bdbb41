/**
 * A digest that this signer computed itself, from a whole message that it read and understood. Only such a digest may
 * meet a presignature of the pool: whoever knows the nonce and then chooses a raw digest forges a signature of another
 * message (P7). What a caller hands in as a digest has no place in this type, so it cannot compile into that path.
 */
export interface ObservedDigest {
  /** what it was computed from */
  readonly from: "transaction";
  /** 32 bytes */
  readonly bytes: Uint8Array;
}
