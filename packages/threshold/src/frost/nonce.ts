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
 * nonce_generate of RFC 9591, section 4.1, hashes fresh randomness together with the secret share, so that a
 * weak source of randomness alone does not reveal the nonce. This function hashes the run as well. A source
 * that repeats itself (a virtual machine restored from a snapshot) would otherwise give the same nonces to
 * two messages, or to two sessions with different commitments of the peers, and the two signatures would
 * reveal the share. All three inputs have a fixed length, so different inputs hash different bytes.
 */
const generateNonce = <P extends GroupPoint<P>>(
  { hashes, scalarBytes }: Ciphersuite<P>,
  secretShare: bigint,
  run: Uint8Array,
  entropy: Entropy,
): bigint => hashes.h3(concatBytes(entropy(RANDOM_BYTES), scalarBytes(secretShare), run));

/**
 * The nonces of one signature (RFC 9591, section 5.1).
 *
 * @param run the hash of session, key, signers and message (`FrostRun.request`); empty for the vectors of RFC 9591
 */
export const generateNonces = <P extends GroupPoint<P>>(
  suite: Ciphersuite<P>,
  secretShare: bigint,
  run: Uint8Array,
  entropy: Entropy,
): Nonces => ({
  hiding: generateNonce(suite, secretShare, run, entropy),
  binding: generateNonce(suite, secretShare, run, entropy),
});

/** (k/h)·G, from which the receiver computes k·G by parseCleared. */
export const dividedCommitment = <P extends GroupPoint<P>>({ curve }: Ciphersuite<P>, nonce: bigint): P =>
  multiplyGenerator(curve, nonce * inverseOf(curve, curve.cofactor));
