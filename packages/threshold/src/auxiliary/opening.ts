import { type Codec, encode, fixedBytes, natural, naturalBytesMax, struct } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { type OpeningRules, RANDOMIZER_BYTES } from "../opening.ts";
import type { Parameters } from "../parameters.ts";
import {
  type RingPedersenProof,
  ringPedersenProofBytesMax,
  ringPedersenProofCodec,
} from "../proofs/ring-pedersen-parameters.ts";
import { hashFields } from "../transcript.ts";
import type { AuxiliaryRun } from "./run.ts";

/** The values that a party commits to in round 1 and opens in round 2 (Figure 7). */
export interface AuxiliaryOpening {
  /** N_i */
  readonly n: bigint;
  /** N^_i */
  readonly nHat: bigint;
  readonly s: bigint;
  readonly t: bigint;
  /** ψ^_i, of Πprm */
  readonly proof: RingPedersenProof;
  /** ρ_i: its part of the joint randomness */
  readonly rho: Uint8Array;
  /** u_i: hides the other fields until the opening */
  readonly mask: Uint8Array;
}

export const auxiliaryOpeningCodec = (parameters: Parameters): Codec<AuxiliaryOpening> => {
  const element = natural(2 * parameters.primeBits);
  return struct<AuxiliaryOpening>({
    n: element,
    nHat: element,
    s: element,
    t: element,
    proof: ringPedersenProofCodec(parameters),
    rho: fixedBytes(RANDOMIZER_BYTES),
    mask: fixedBytes(RANDOMIZER_BYTES),
  });
};

/** The length of the longest encoded opening. */
export const auxiliaryOpeningBytesMax = (parameters: Parameters): number =>
  4 * naturalBytesMax(2 * parameters.primeBits) +
  ringPedersenProofBytesMax(parameters) +
  2 * RANDOMIZER_BYTES;

/** V_i = H(sid, i, N_i, N^_i, s_i, t_i, ψ^_i, ρ_i, u_i), over the canonical encoding. */
export const auxiliaryCommitment = (
  run: AuxiliaryRun,
  party: PartyIndex,
  opening: AuxiliaryOpening,
): Uint8Array => {
  const { session, epoch, parameters, parties } = run;
  const bytes = encode(auxiliaryOpeningCodec(parameters), opening);
  return hashFields("aux V", [session, epoch, parameters.name, parties, party, bytes]);
};

/** The rules by which the parties of an auxiliary generation commit and open. */
export const auxiliaryOpenings = (run: AuxiliaryRun): OpeningRules<AuxiliaryOpening> => ({
  protocol: "aux",
  codec: auxiliaryOpeningCodec(run.parameters),
  commit: (party, opening) => auxiliaryCommitment(run, party, opening),
});
