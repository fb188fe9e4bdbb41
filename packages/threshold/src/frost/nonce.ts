import { concatBytes } from "@noble/curves/utils.js";
import { type GroupPoint, inverseOf, multiplyGenerator } from "../curve.ts";
import type { Entropy } from "../entropy.ts";
import type { Ciphersuite } from "./ciphersuite.ts";

const RANDOM_BYTES = 32;

/** The nonces d and e of one signer for one signature. Two signatures with one pair reveal the share. */
export interface Nonces {
  readonly hiding: bigint;
  readonly binding: bigint;
}

/**
 * nonce_generate of RFC 9591, section 4.1: fresh randomness hashed with the secret share, so that a weak source of
 * randomness alone does not reveal the nonce.
 */
const generateNonce = <P extends GroupPoint<P>>(
  { hashes, scalarBytes }: Ciphersuite<P>,
  secretShare: bigint,
  entropy: Entropy,
): bigint => hashes.h3(concatBytes(entropy(RANDOM_BYTES), scalarBytes(secretShare)));

/** The nonces of one signature (RFC 9591, section 5.1). */
export const generateNonces = <P extends GroupPoint<P>>(
  suite: Ciphersuite<P>,
  secretShare: bigint,
  entropy: Entropy,
): Nonces => ({
  hiding: generateNonce(suite, secretShare, entropy),
  binding: generateNonce(suite, secretShare, entropy),
});

/** (k/h)·G, from which the receiver computes k·G by parseCleared. */
export const dividedCommitment = <P extends GroupPoint<P>>({ curve }: Ciphersuite<P>, nonce: bigint): P =>
  multiplyGenerator(curve, nonce * inverseOf(curve, curve.cofactor));
