import { equalBytes } from "@noble/curves/utils.js";
import { type Codec, fixedBytes, list, pointCodec, struct } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { POINT_BYTES, type Point } from "../group.ts";
import type { PolynomialCommitment } from "../sharing/feldman.ts";
import { hashFields } from "../transcript.ts";
import type { KeyGenerationRun } from "./run.ts";

export const COMMITMENT_BYTES = 32;
/** of rid_i, u_i and c_i */
export const RANDOMIZER_BYTES = 32;

/** What a party commits to in round 1 and shows in round 2. */
export interface Opening {
  /** rid_i: its part of the joint randomness */
  readonly rid: Uint8Array;
  /** S_i: the commitment to its polynomial, exactly t points, none the identity (P10) */
  readonly polynomial: PolynomialCommitment;
  /** A_i: the commitment of its later Schnorr proof */
  readonly schnorr: Point;
  /** u_i: hides the rest until it is shown */
  readonly mask: Uint8Array;
  /** c_i: its part of the chain code */
  readonly chainCode: Uint8Array;
}

export const openingCodec = (threshold: number): Codec<Opening> =>
  struct<Opening>({
    rid: fixedBytes(RANDOMIZER_BYTES),
    polynomial: list(pointCodec, threshold),
    schnorr: pointCodec,
    mask: fixedBytes(RANDOMIZER_BYTES),
    chainCode: fixedBytes(RANDOMIZER_BYTES),
  });

/** The exact length of its encoding. */
export const openingBytes = (threshold: number): number =>
  3 * RANDOMIZER_BYTES + (threshold + 1) * POINT_BYTES;

/** V_i = H(sid, i, rid_i, S_i, A_i, u_i, c_i) */
export const commitmentTo = (run: KeyGenerationRun, party: PartyIndex, opening: Opening): Uint8Array => {
  const { session, epoch, keyId, threshold, parties } = run;
  const { rid, polynomial, schnorr, mask, chainCode } = opening;
  const where = [session, epoch, keyId, threshold, parties, party];
  return hashFields("keygen V", [...where, rid, polynomial, schnorr, mask, chainCode]);
};

export const opensTo = (
  run: KeyGenerationRun,
  party: PartyIndex,
  opening: Opening,
  commitment: Uint8Array,
): boolean => equalBytes(commitmentTo(run, party, opening), commitment);
