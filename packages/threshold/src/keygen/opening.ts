import { type Codec, fixedBytes, list, pointCodecOf, struct } from "../codec.ts";
import type { Curve, GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { type OpeningRules, RANDOMIZER_BYTES } from "../opening.ts";
import type { PolynomialCommitment } from "../sharing/feldman.ts";
import { hashFields } from "../transcript.ts";
import type { KeyGenerationRun } from "./run.ts";

/** The values that a party commits to in round 1 and opens in round 2. */
export interface KeyOpening<P> {
  /** rid_i: its part of the joint randomness */
  readonly rid: Uint8Array;
  /** S_i: the commitment to its polynomial, exactly t points, none the identity (P10) */
  readonly polynomial: PolynomialCommitment<P>;
  /** A_i: the commitment of its Schnorr proof in round 3 */
  readonly schnorr: P;
  /** u_i: hides the other fields until the opening */
  readonly mask: Uint8Array;
  /** c_i: its part of the chain code */
  readonly chainCode: Uint8Array;
}

export const keyOpeningCodec = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  threshold: number,
): Codec<KeyOpening<P>> =>
  struct<KeyOpening<P>>({
    rid: fixedBytes(RANDOMIZER_BYTES),
    polynomial: list(pointCodecOf(curve), threshold),
    schnorr: pointCodecOf(curve),
    mask: fixedBytes(RANDOMIZER_BYTES),
    chainCode: fixedBytes(RANDOMIZER_BYTES),
  });

/** The exact length of an encoded opening. */
export const keyOpeningBytes = <P extends GroupPoint<P>>(
  { pointBytes }: Curve<P>,
  threshold: number,
): number => 3 * RANDOMIZER_BYTES + (threshold + 1) * pointBytes;

/** V_i = H(sid, i, rid_i, S_i, A_i, u_i, c_i) */
export const keyCommitment = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  party: PartyIndex,
  opening: KeyOpening<P>,
): Uint8Array => {
  const { session, epoch, keyId, threshold, parties, scheme } = run;
  const { rid, polynomial, schnorr, mask, chainCode } = opening;
  const where = [session, scheme.name, epoch, keyId, threshold, parties, party];
  return hashFields("keygen V", [...where, rid, polynomial, schnorr, mask, chainCode]);
};

/** The rules by which the parties of a key generation commit and open. */
export const keyOpenings = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
): OpeningRules<KeyOpening<P>> => ({
  protocol: "keygen",
  codec: keyOpeningCodec(run.scheme.curve, run.threshold),
  commit: (party, opening) => keyCommitment(run, party, opening),
});
