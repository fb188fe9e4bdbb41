import {
  type Codec,
  type Decoded,
  decode,
  integer,
  list,
  natural,
  naturalBytesMax,
  pointCodec,
  scalarCodec,
  struct,
} from "../codec.ts";
import { type Point, SCALAR_BYTES } from "../group.ts";
import { type Ciphertext, ciphertextCodec } from "../paillier.ts";
import type { Parameters } from "../parameters.ts";
import { type AffineOperationProof, affineOperationProofCodec } from "../proofs/affine-operation.ts";
import { type ElGamalLogProof, elGamalLogProofCodec } from "../proofs/elgamal-log.ts";
import { type PaillierElGamalProof, paillierElGamalProofCodec } from "../proofs/paillier-elgamal.ts";

/** Round 1, to all and echoed (P12): the commitments to k and γ. */
export interface PresignCommitments {
  /** K = enc(k; ρ) */
  readonly K: Ciphertext;
  /** G = enc(γ; ν) */
  readonly G: Ciphertext;
  /** the ElGamal key */
  readonly Y: Point;
  /** A1 = a·G */
  readonly A1: Point;
  /** A2 = a·Y + k·G */
  readonly A2: Point;
  /** B1 = b·G */
  readonly B1: Point;
  /** B2 = b·Y + γ·G */
  readonly B2: Point;
}

/** Round 1, to one: Πenc-elg under the receiver's ring-Pedersen parameters. */
export interface CommitmentProofs {
  readonly K: PaillierElGamalProof;
  readonly G: PaillierElGamalProof;
}

/** The ciphertexts of one multiplicative-to-additive conversion: D under the receiver's key, F under the sender's. */
export interface Conversion {
  /** D = K^x·enc_j(-β; s) */
  readonly D: Ciphertext;
  /** F = enc_i(-β; r) */
  readonly F: Ciphertext;
}

/** The two conversions of one signer for another. */
export interface ConversionPair {
  /** with x = γ_i */
  readonly nonce: Conversion;
  /** with x = x_i: the paper's D^ and F^ */
  readonly key: Conversion;
}

/**
 * Round 2, to all and echoed: a dispute judges these ciphertexts (dispute.ts), so all signers must have
 * received the same.
 */
export interface Conversions {
  /** Γ_i = γ_i·G */
  readonly Gamma: Point;
  /** Πelog for Γ_i */
  readonly proof: ElGamalLogProof;
  /** for every other signer, ascending */
  readonly pairs: readonly ConversionPair[];
}

/** One of the two products of secrets that presigning converts to sums: γ·k or x·k. */
export type Product = keyof ConversionPair;

/** Round 2, to one: Πaff-g under the receiver's keys. */
export interface ConversionProofs {
  readonly nonce: AffineOperationProof;
  readonly key: AffineOperationProof;
}

/** Round 3, to all and echoed, so that all honest signers reach the same decision (dispute.ts). */
export interface Reveal {
  /**
   * Γ = Σ Γ_j as this signer computed it: so a signer's last message of a presigning has the whole public
   * part of the presignature
   */
  readonly Gamma: Point;
  /** δ_i */
  readonly delta: bigint;
  /** S_i = χ_i·Γ */
  readonly S: Point;
  /** Δ_i = k_i·Γ */
  readonly Delta: Point;
  /** Πelog for Δ_i */
  readonly proof: ElGamalLogProof;
}

/** The plaintext of a ciphertext under its owner's key, and the randomness that proves it. */
export interface Plaintext {
  /** α_ij or α^_ij, signed */
  readonly alpha: bigint;
  /** u with D = (1 + α·N_i)·u^N_i mod N_i² */
  readonly root: bigint;
}

/** Round 4, to all, when a joint check failed: the secrets of the discarded presigning, except x_i and its masks β^_ij. */
export interface DisputeOpening {
  /** k_i */
  readonly k: bigint;
  /** γ_i */
  readonly gamma: bigint;
  /** the plaintexts of the D, or of the D^, that every other signer made for us, ascending */
  readonly plaintexts: readonly Plaintext[];
  /**
   * -β_ij, the plaintexts of our F for every other signer, ascending; empty in openings that an older version
   * signed
   */
  readonly offsets: readonly Plaintext[];
}

export const commitmentsCodec = ({ primeBits }: Parameters): Codec<PresignCommitments> =>
  struct<PresignCommitments>({
    K: ciphertextCodec(2 * primeBits),
    G: ciphertextCodec(2 * primeBits),
    Y: pointCodec,
    A1: pointCodec,
    A2: pointCodec,
    B1: pointCodec,
    B2: pointCodec,
  });

export const commitmentProofsCodec = (parameters: Parameters): Codec<CommitmentProofs> =>
  struct<CommitmentProofs>({
    K: paillierElGamalProofCodec(parameters),
    G: paillierElGamalProofCodec(parameters),
  });

/** @param receivers the number of other signers */
export const conversionsCodec = ({ primeBits }: Parameters, receivers: number): Codec<Conversions> => {
  const ciphertext = ciphertextCodec(2 * primeBits);
  const conversion = struct<Conversion>({ D: ciphertext, F: ciphertext });
  return struct<Conversions>({
    Gamma: pointCodec,
    proof: elGamalLogProofCodec,
    pairs: list(struct<ConversionPair>({ nonce: conversion, key: conversion }), receivers),
  });
};

export const conversionProofsCodec = (parameters: Parameters): Codec<ConversionProofs> =>
  struct<ConversionProofs>({
    nonce: affineOperationProofCodec(parameters),
    key: affineOperationProofCodec(parameters),
  });

export const revealCodec: Codec<Reveal> = struct<Reveal>({
  Gamma: pointCodec,
  delta: scalarCodec,
  S: pointCodec,
  Delta: pointCodec,
  proof: elGamalLogProofCodec,
});

const openingCodec = (
  { primeBits }: Parameters,
  plaintexts: number,
  offsets: number,
): Codec<DisputeOpening> => {
  const plaintext = struct<Plaintext>({ alpha: integer(2 * primeBits), root: natural(2 * primeBits) });
  return struct<DisputeOpening>({
    k: scalarCodec,
    gamma: scalarCodec,
    plaintexts: list(plaintext, plaintexts),
    offsets: list(plaintext, offsets),
  });
};

/** @param senders the number of other signers */
export const disputeOpeningCodec = (parameters: Parameters, senders: number): Codec<DisputeOpening> =>
  openingCodec(parameters, senders, senders);

/** Openings without offsets, as an older version signs them. */
export const olderOpeningCodec = (parameters: Parameters, senders: number): Codec<DisputeOpening> =>
  openingCodec(parameters, senders, 0);

/**
 * Reads an opening in the form of this version, or of the one before. While a cluster is upgraded, a signer
 * of the earlier version opens honestly, and must not be accused for it (INV-7).
 */
export const readDisputeOpening = (
  parameters: Parameters,
  senders: number,
  payload: Uint8Array,
): Decoded<DisputeOpening> => {
  const opening = decode(disputeOpeningCodec(parameters, senders), payload);
  const older = decode(olderOpeningCodec(parameters, senders), payload);
  return opening.ok || !older.ok ? opening : older;
};

/** Upper bounds of the payloads of each round in bytes, from the elements that they contain (P13). */
export const payloadBytesMax = ({ primeBits }: Parameters, receivers: number) => {
  const modulus = Math.ceil(primeBits / 4);
  const proofOfCommitment = 7 * modulus + 512; // S, T, D, z2, z3; the rest is curve-sized
  const proofOfConversion = 12 * modulus + 1024; // A, By, E, S, F, T, z3, z4, w, wY; the rest is curve-sized
  return {
    round1: 2 * proofOfCommitment,
    round2: Math.max(2 * proofOfConversion, receivers * (8 * modulus + 16) + 512),
    round3: 512,
    round4: 2 * receivers * (2 * naturalBytesMax(2 * primeBits) + 1) + 2 * SCALAR_BYTES,
  } as const;
};
