import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { GroupPoint } from "../curve.ts";
import { RANDOMIZER_BYTES } from "../opening.ts";
import { sampleSchnorrNonce } from "../proofs/schnorr.ts";
import type { Start } from "../session/round.ts";
import { commitTo } from "../sharing/feldman.ts";
import { samplePolynomial } from "../sharing/polynomial.ts";
import { KEY_ID_BYTES_MAX, type KeyShare } from "./key-share.ts";
import { type KeyOpening, keyCommitment } from "./opening.ts";
import { round1 } from "./round1.ts";
import type { KeyGenerationRun, OwnSecrets } from "./run.ts";

/** The configuration of startKeyGeneration. */
export type KeyGenerationConfig<P extends GroupPoint<P>> = KeyGenerationRun<P>;

const requireFit = <P extends GroupPoint<P>>({
  parties,
  self,
  threshold,
  keyId,
}: KeyGenerationRun<P>): void => {
  if (!parties.includes(self)) throw new RangeError("we are not among the parties of the key");
  const isThreshold = Number.isInteger(threshold) && threshold >= 2 && threshold <= parties.length;
  if (!isThreshold)
    throw new RangeError(`a threshold of ${threshold} does not fit ${parties.length} parties`);
  if (utf8ToBytes(keyId).length > KEY_ID_BYTES_MAX) throw new RangeError("key id too long");
};

/**
 * Starts threshold key generation (reference: CGGMP24, figure 6, in the t-of-n form of LFDT's cggmp24):
 * commit with echo, open and share (Feldman), prove, confirm with echo. Needs every party; costs some
 * milliseconds.
 *
 * @param config the session, all future holders of a share, t, and the scheme, id and epoch of the key
 * @returns the start of a run that ends in a KeyShare, with the same public key at all parties; in a fault
 * that names the peer whose commitment, share, proof or confirmation fails; or, with negligible probability,
 * in an abort
 * @throws RangeError when the configuration is invalid: a bug of ours
 */
export const startKeyGeneration =
  <P extends GroupPoint<P>>(config: KeyGenerationConfig<P>): Start<KeyShare<P>> =>
  (entropy) => {
    requireFit(config);
    const { curve } = config.scheme;
    const polynomial = samplePolynomial(curve, config.threshold, entropy);
    const nonce = sampleSchnorrNonce(curve, entropy);
    const own: OwnSecrets<P> = { polynomial, nonce };
    const opening: KeyOpening<P> = {
      rid: entropy(RANDOMIZER_BYTES),
      polynomial: commitTo(curve, polynomial),
      schnorr: nonce.commitment,
      mask: entropy(RANDOMIZER_BYTES),
      chainCode: entropy(RANDOMIZER_BYTES),
    };
    const payload = keyCommitment(config, config.self, opening);
    return { kind: "next", messages: [{ to: "all", payload }], round: round1(config, own, opening) };
  };
