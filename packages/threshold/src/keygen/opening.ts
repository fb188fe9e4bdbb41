import { equalBytes } from "@noble/curves/utils.js";
import { type Codec, fixedBytes, list, pointCodecOf, struct } from "../codec.ts";
import type { Curve, GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { PolynomialCommitment } from "../sharing/feldman.ts";
import { hashFields } from "../transcript.ts";
import type { KeyGenerationRun } from "./run.ts";

export const COMMITMENT_BYTES = 32;
/** The length of rid_i, u_i and c_i. */
export const RANDOMIZER_BYTES = 32;

/** The values that a party commits to in round 1 and opens in round 2. */
export interface Opening<P> {
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

export const openingCodec = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  threshold: number,
): Codec<Opening<P>> =>
  struct<Opening<P>>({
    rid: fixedBytes(RANDOMIZER_BYTES),
    polynomial: list(pointCodecOf(curve), threshold),
    schnorr: pointCodecOf(curve),
    mask: fixedBytes(RANDOMIZER_BYTES),
    chainCode: fixedBytes(RANDOMIZER_BYTES),
  });

/** The exact length of its encoding. */
export const openingBytes = <P extends GroupPoint<P>>({ pointBytes }: Curve<P>, threshold: number): number =>
  3 * RANDOMIZER_BYTES + (threshold + 1) * pointBytes;

/** V_i = H(sid, i, rid_i, S_i, A_i, u_i, c_i) */
export const commitmentTo = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  party: PartyIndex,
  opening: Opening<P>,
): Uint8Array => {
  const { session, epoch, keyId, threshold, parties, scheme } = run;
  const { rid, polynomial, schnorr, mask, chainCode } = opening;
  const where = [session, scheme.name, epoch, keyId, threshold, parties, party];
  return hashFields("keygen V", [...where, rid, polynomial, schnorr, mask, chainCode]);
};

export const opensTo = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  party: PartyIndex,
  opening: Opening<P>,
  commitment: Uint8Array,
): boolean => equalBytes(commitmentTo(run, party, opening), commitment);
