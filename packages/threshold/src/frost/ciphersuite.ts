import type { Curve, GroupPoint } from "../curve.ts";

/**
 * The parameters of FROST for one kind of signature (RFC 9591, section 6), with the additions of BIP-340:
 * keys and nonce points have an even y, and a Taproot key is tweaked.
 */
export interface Ciphersuite<P extends GroupPoint<P>> {
  readonly curve: Curve<P>;
  readonly hashes: Hashes;
  /** SerializeScalar, 32 bytes */
  readonly scalarBytes: (scalar: bigint) => Uint8Array;
  /** the encoding of a point in signatures and public keys of the scheme */
  readonly pointBytes: (point: P) => Uint8Array;
  /**
   * The key that verifies signatures, derived from the public key Y of the shares.
   * @param merkleRoot of BIP-341's script tree, 32 bytes; undefined for an empty tree, and for suites without
   * a tweak
   * @throws RangeError when a suite without a tweak gets a root, or the root has not 32 bytes: a bug of the
   * caller
   */
  readonly signingKey: (publicKey: P, merkleRoot?: Uint8Array) => SigningKey<P>;
  /** whether all signers negate their nonces, because the signature contains R only up to its sign */
  readonly negatesNonces: (R: P) => boolean;
  /** H2: the challenge c of a signature on the message, for R and the key in the form that the verifier uses */
  readonly challenge: (R: P, publicKey: P, message: Uint8Array) => bigint;
  /** Verifies a signature by a library; never throws. */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;
}

/** The hash functions of a suite except the challenge, with their numbers in RFC 9591, section 6. */
export interface Hashes {
  /** hashes binding factors to a scalar */
  readonly h1: (input: Uint8Array) => bigint;
  /** hashes nonces to a scalar */
  readonly h3: (input: Uint8Array) => bigint;
  /** hashes the message */
  readonly h4: (input: Uint8Array) => Uint8Array;
  /** hashes the list of commitments */
  readonly h5: (input: Uint8Array) => Uint8Array;
}

/** The key s·G that verifies signatures, for the shared key Y = x·G: s = x + shift, or s = −x + shift. */
export interface SigningKey<P> {
  readonly publicKey: P;
  readonly isNegated: boolean;
  readonly shift: bigint;
}

/** The signing key of a suite without a tweak: it refuses a merkle root, since the signature would ignore it. */
export const untweaked =
  <P>(signingKey: (publicKey: P) => SigningKey<P>) =>
  (publicKey: P, merkleRoot?: Uint8Array): SigningKey<P> => {
    if (merkleRoot !== undefined) throw new RangeError("a merkle root for a key that is not tweaked");
    return signingKey(publicKey);
  };
