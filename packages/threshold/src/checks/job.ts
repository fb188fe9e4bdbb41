import type { AuxiliaryInfo } from "../auxiliary/auxiliary-info.ts";
import {
  flawOfModulusProof,
  flawOfParametersProof,
  type ModulusCheck,
  type ParametersCheck,
} from "../auxiliary/proof-check.ts";
import type { RunContext } from "../auxiliary/run.ts";
import {
  type Codec,
  convert,
  decode,
  encode,
  fixedBytes,
  natural,
  pointCodec,
  struct,
  uint,
  variableBytes,
} from "../codec.ts";
import { type PartyIndex, partyCodec } from "../fault.ts";
import { ciphertextCodec, decrypt } from "../paillier.ts";
import type { Parameters } from "../parameters.ts";
import { type CommitmentCheck, flawOfCommitments } from "../presign/commitment-check.ts";
import { type ConversionCheck, judgeConversions } from "../presign/conversion-check.ts";
import {
  type Conversion,
  type ConversionPair,
  commitmentProofsCodec,
  commitmentsCodec,
  conversionProofsCodec,
} from "../presign/messages.ts";
import type { ProverContext } from "../presign/prover-context.ts";
import { elGamalLogProofCodec } from "../proofs/elgamal-log.ts";
import { blumModulusProofCodec } from "../proofs/paillier-blum-modulus.ts";
import { ringPedersenProofCodec } from "../proofs/ring-pedersen-parameters.ts";
import type { RingPedersen } from "../ring-pedersen.ts";
import { SESSION_ID_BYTES } from "../session/envelope.ts";
import type { CheckResult, PeerCheck } from "../session/round.ts";
import { standsUnless } from "./check-result.ts";

/**
 * One costly check of one peer, with all its inputs, which are public: messages of peers, proofs to this
 * party, and their contexts. The secrets that a check of presigning needs, the Paillier key and ring-Pedersen
 * factors, are in the auxiliary info, which every thread of the signer has.
 */
type Job =
  | { readonly kind: "commitments"; readonly check: CommitmentCheck }
  | { readonly kind: "conversions"; readonly check: ConversionCheck }
  | { readonly kind: "parameters"; readonly check: ParametersCheck }
  | { readonly kind: "modulus"; readonly check: ModulusCheck };

const PARTS_BYTES_MAX = 1024 * 1024; // the longest jobs hold two moduli for each of 128 iterations

const session = fixedBytes(SESSION_ID_BYTES);
const proverContextCodec = struct<ProverContext>({
  session,
  epoch: uint(4),
  prover: partyCodec,
  verifier: partyCodec,
});
const runContextCodec = struct<RunContext>({ session, epoch: uint(4) });

const partsOf = (parameters: Parameters) => {
  const element = natural(2 * parameters.primeBits);
  const ciphertext = ciphertextCodec(2 * parameters.primeBits);
  const conversion = struct<Conversion>({ D: ciphertext, F: ciphertext });
  return {
    commitments: struct<CommitmentCheck>({
      context: proverContextCodec,
      commitments: commitmentsCodec(parameters),
      proofs: commitmentProofsCodec(parameters),
    }),
    conversions: struct<ConversionCheck>({
      context: proverContextCodec,
      committed: struct<ConversionCheck["committed"]>({ Y: pointCodec, B1: pointCodec, B2: pointCodec }),
      Gamma: pointCodec,
      proof: elGamalLogProofCodec,
      publicShare: pointCodec,
      K: ciphertext,
      pair: struct<ConversionPair>({ nonce: conversion, key: conversion }),
      proofs: conversionProofsCodec(parameters),
    }),
    parameters: struct<ParametersCheck>({
      context: runContextCodec,
      prover: partyCodec,
      pedersen: struct<RingPedersen>({ n: element, s: element, t: element }),
      proof: ringPedersenProofCodec(parameters),
    }),
    modulus: struct<ModulusCheck>({
      context: runContextCodec,
      prover: partyCodec,
      n: element,
      proof: blumModulusProofCodec(parameters),
    }),
  } as const;
};

/** The kinds of jobs; a job is encoded with the index of its kind. */
const KINDS = [
  "commitments",
  "conversions",
  "parameters",
  "modulus",
] as const satisfies readonly Job["kind"][];

const writeParts = (parameters: Parameters, job: Job): Uint8Array => {
  const parts = partsOf(parameters);
  switch (job.kind) {
    case "commitments":
      return encode(parts.commitments, job.check);
    case "conversions":
      return encode(parts.conversions, job.check);
    case "parameters":
      return encode(parts.parameters, job.check);
    case "modulus":
      return encode(parts.modulus, job.check);
  }
};

const readAs = <K extends Job["kind"], T>(kind: K, codec: Codec<T>, bytes: Uint8Array) => {
  const check = decode(codec, bytes);
  return check.ok ? { kind, check: check.value } : undefined;
};

const readParts = (
  parameters: Parameters,
  kind: Job["kind"] | undefined,
  bytes: Uint8Array,
): Job | undefined => {
  const parts = partsOf(parameters);
  switch (kind) {
    case "commitments":
      return readAs(kind, parts.commitments, bytes);
    case "conversions":
      return readAs(kind, parts.conversions, bytes);
    case "parameters":
      return readAs(kind, parts.parameters, bytes);
    case "modulus":
      return readAs(kind, parts.modulus, bytes);
    case undefined:
      return undefined;
  }
};

export const jobCodec = (parameters: Parameters): Codec<Job> =>
  convert(
    struct<{ kind: number; parts: Uint8Array }>({ kind: uint(1), parts: variableBytes(PARTS_BYTES_MAX) }),
    ({ kind, parts }) => readParts(parameters, KINDS[kind], parts),
    (job) => ({ kind: KINDS.indexOf(job.kind), parts: writeParts(parameters, job) }),
    "not a job",
  );

/** A check that another thread can perform. @param perform performs it on this thread, with cached values */
export const checkOf = (
  parameters: Parameters,
  peer: PartyIndex,
  job: Job,
  perform: () => CheckResult,
): PeerCheck => ({ peer, perform, job: () => encode(jobCodec(parameters), job) });

const known = <T>(value: T | undefined): T => {
  if (value === undefined) throw new RangeError("this check needs auxiliary info that knows the peer");
  return value;
};

/**
 * Performs a PeerCheck on any thread of the same party, with the same result.
 *
 * @param job from `PeerCheck.job`
 * @param auxiliary the info of the check's session; undefined for auxiliary generation
 * @throws RangeError when the bytes are no job of this security level, or need info that is missing: bugs of
 * our own
 */
export const performJob = (
  job: Uint8Array,
  parameters: Parameters,
  auxiliary: AuxiliaryInfo | undefined,
): CheckResult => {
  const decoded = decode(jobCodec(parameters), job);
  if (!decoded.ok) throw new RangeError(`not a job: ${decoded.reason}`);
  switch (decoded.value.kind) {
    case "commitments": {
      const { check } = decoded.value;
      const { own, peers } = known(auxiliary);
      const peer = known(peers.get(check.context.prover));
      const { pedersen } = own.reveal();
      return standsUnless(flawOfCommitments(parameters, pedersen.parameters, peer, check, pedersen));
    }
    case "conversions": {
      const { check } = decoded.value;
      const { own, peers } = known(auxiliary);
      const peer = known(peers.get(check.context.prover));
      // K is our own ciphertext: decrypting it gives k, so the job need not contain k
      const k = decrypt(own.reveal().paillier, check.K);
      return judgeConversions(parameters, own.reveal(), peer, check, k);
    }
    case "parameters":
      return standsUnless(flawOfParametersProof(parameters, decoded.value.check));
    case "modulus":
      return standsUnless(flawOfModulusProof(parameters, decoded.value.check));
  }
};
