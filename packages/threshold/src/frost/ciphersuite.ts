import type { Curve, GroupPoint } from "../curve.ts";

/**
 * What FROST leaves to the kind of signature (RFC 9591, section 6), and what BIP-340 adds to it: keys and nonce points
 * are taken with an even y, and a Taproot key is tweaked.
 */
export interface Ciphersuite<P extends GroupPoint<P>> {
  readonly curve: Curve<P>;
  readonly hashes: Hashes;
  /** SerializeScalar, 32 bytes */
  readonly scalarBytes: (scalar: bigint) => Uint8Array;
  /** a point as signatures and public keys of the scheme show it */
  readonly pointBytes: (point: P) => Uint8Array;
  /** what signatures verify under, given the public key Y of the shares */
  readonly signingKey: (publicKey: P) => SigningKey<P>;
  /** whether everybody signs with the negated nonces, because the signature shows R only up to its sign */
  readonly negatesNonces: (R: P) => boolean;
  /** H2: c of a signature on the message, for R and the key as the signature's verifier takes them */
  readonly challenge: (R: P, publicKey: P, message: Uint8Array) => bigint;
  /** Plain verification by a library; never throws. */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;
}

/** The hash functions of a suite but the challenge, by their numbers in RFC 9591, section 6. */
export interface Hashes {
  /** of binding factors, to a scalar */
  readonly h1: (input: Uint8Array) => bigint;
  /** of nonces, to a scalar */
  readonly h3: (input: Uint8Array) => bigint;
  /** of the message */
  readonly h4: (input: Uint8Array) => Uint8Array;
  /** of the list of commitments */
  readonly h5: (input: Uint8Array) => Uint8Array;
}

/** The key s·G that signatures verify under, for the shared key Y = x·G: s = x + shift, or s = −x + shift. */
export interface SigningKey<P> {
  readonly publicKey: P;
  readonly isNegated: boolean;
  readonly shift: bigint;
}
