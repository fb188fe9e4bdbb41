import { encode } from "../../../packages/threshold/src/codec.ts";
import { SECP256K1 } from "../../../packages/threshold/src/curve.ts";
import {
  GENERATOR,
  IDENTITY,
  multiply,
  multiplyBase,
  ORDER,
  type Point,
} from "../../../packages/threshold/src/group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../../../packages/threshold/src/insecure-test-parameters.ts";
import { add, encrypt, scale } from "../../../packages/threshold/src/paillier.ts";
import {
  affineOperationProofCodec,
  prepareAffineOperation,
  proveAffineOperation,
} from "../../../packages/threshold/src/proofs/affine-operation.ts";
import { elGamalLogProofCodec, proveElGamalLog } from "../../../packages/threshold/src/proofs/elgamal-log.ts";
import {
  noSmallFactorProofCodec,
  proveNoSmallFactor,
} from "../../../packages/threshold/src/proofs/no-small-factor.ts";
import {
  blumModulusProofCodec,
  proveBlumModulus,
} from "../../../packages/threshold/src/proofs/paillier-blum-modulus.ts";
import {
  paillierElGamalProofCodec,
  preparePaillierElGamal,
  provePaillierElGamal,
} from "../../../packages/threshold/src/proofs/paillier-elgamal.ts";
import {
  proveRingPedersen,
  ringPedersenProofCodec,
} from "../../../packages/threshold/src/proofs/ring-pedersen-parameters.ts";
import { proveSchnorr, schnorrCodec } from "../../../packages/threshold/src/proofs/schnorr.ts";
import {
  insecureAuxiliaryPrimes,
  insecureOwnAuxiliary,
} from "../../../packages/threshold/src/testing/insecure-auxiliary.ts";
import { seededEntropy } from "../../../packages/threshold/src/testing/seeded-entropy.ts";
import { testSessionId } from "../../../packages/threshold/src/testing/session-network.ts";
import {
  challenge,
  encodeField,
  type Field,
  hashFields,
  type ProofContext,
} from "../../../packages/threshold/src/transcript.ts";
import type { Written, WrittenContext } from "./by-hand.ts";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const isList = (field: Field): field is readonly Field[] => Array.isArray(field);

/** A field in the form of the vectors. */
export const written = (field: Field): Written => {
  if (typeof field === "string") return { text: field };
  if (typeof field === "bigint" || typeof field === "number") return { integer: String(field) };
  if (field instanceof Uint8Array) return { bytes: hexOf(field) };
  if (isList(field)) return { list: field.map(written) };
  return { point: field.is0() ? "" : hexOf(field.toBytes()) };
};

const ENCODINGS: readonly Field[] = [
  "",
  "Πaff-g",
  0n,
  1,
  127,
  128,
  255n,
  256n,
  -1n,
  -256n,
  ORDER,
  new Uint8Array(0),
  Uint8Array.of(0, 1, 2),
  GENERATOR,
  IDENTITY,
  [],
  [[]],
  ["a", [1n, -2n], Uint8Array.of(3)],
];

/** Fields with their encodings. */
export const encodingVectors = () =>
  ENCODINGS.map((field) => ({ field: written(field), encoding: hexOf(encodeField(field)) }));

const HASHES: readonly (readonly [string, readonly Field[]])[] = [
  ["public key info", [Uint8Array.of(1, 2, 3)]],
  ["presignature", [testSessionId("vectors")]],
  ["aux session with ρ", [testSessionId("vectors"), 3, new Uint8Array(32).fill(7)]],
  ["no fields", []],
];

/** Digests of fields under a domain. */
export const hashVectors = () =>
  HASHES.map(([domain, fields]) => ({
    domain,
    fields: fields.map(written),
    digest: hexOf(hashFields(domain, fields)),
  }));

const contextOf = (position: string, verifier: ProofContext["verifier"]): ProofContext => ({
  session: testSessionId("vectors of proofs"),
  epoch: 4,
  prover: 1,
  verifier,
  position,
});

const writtenContext = ({ session, ...rest }: ProofContext): WrittenContext => ({
  session: hexOf(session),
  ...rest,
});

type Sampled = "below the order" | "symmetric about the order" | "symmetric about 2^ℓ" | "bits" | "units";
type Drawn = ReturnType<typeof challenge>;

const DRAWS: Readonly<Record<Sampled, (drawn: Drawn, modulus: bigint) => readonly bigint[]>> = {
  "below the order": (drawn) => [drawn.below(ORDER)],
  "symmetric about the order": (drawn) => [drawn.symmetric(ORDER)],
  "symmetric about 2^ℓ": (drawn) => [drawn.symmetric(1n << BigInt(parameters.ell))],
  bits: (drawn) => drawn.bits(parameters.iterations).map((bit) => (bit ? 1n : 0n)),
  units: (drawn, modulus) => drawn.units(modulus, parameters.iterations),
};

interface Made {
  readonly proof: string;
  readonly context: ProofContext;
  /** the input of the challenge, as docs/protocol.md lists it */
  readonly fields: readonly Field[];
  readonly sampled: Sampled;
  /** only for units */
  readonly modulus?: bigint;
  /** the proof for this challenge, encoded by its codec */
  readonly bytes: Uint8Array;
}

const prover = insecureOwnAuxiliary(1);
const verifier = insecureOwnAuxiliary(2);
const entropy = (name: string) => seededEntropy(`protocol vectors/${name}`);
const level = [parameters.ell, parameters.epsilon];
const { n: nHat, s, t } = verifier.pedersen.parameters;

/** An ElGamal commitment to a value under the key y·G. */
const elGamal = (y: bigint, b: bigint, value: bigint): { key: Point; B: Point; X: Point } => ({
  key: multiplyBase(y),
  B: multiplyBase(b),
  X: multiplyBase(b * y + value),
});

const schnorr = (): Made => {
  const context = contextOf("keygen/3 Πsch", "all");
  const statement = { point: multiplyBase(12_345n), salt: new Uint8Array(32).fill(9) };
  const proof = proveSchnorr(SECP256K1, context, statement, 12_345n, entropy("Πsch"));
  const fields = [GENERATOR, statement.point, statement.salt, proof.commitment];
  const bytes = encode(schnorrCodec(SECP256K1), proof);
  return { proof: "Πsch", context, fields, sampled: "below the order", bytes };
};

const elGamalLog = (): Made => {
  const context = contextOf("presign/3 Δ", "all");
  const [y, lambda, x] = [777n, 888n, 999n];
  const { key, B: L, X: M } = elGamal(x, lambda, y);
  const H = multiplyBase(55n);
  const statement = { L, M, X: key, Y: multiply(H, y), H };
  const proof = proveElGamalLog(context, statement, { y, lambda, x }, entropy("Πelog"));
  const { A, N, B } = proof;
  const fields = [GENERATOR, L, M, key, statement.Y, H, A, N, B];
  return {
    proof: "Πelog",
    context,
    fields,
    sampled: "below the order",
    bytes: encode(elGamalLogProofCodec, proof),
  };
};

const ringPedersen = (): Made => {
  const context = contextOf("aux/2 Πprm", "all");
  const { pedersen } = prover;
  const proof = proveRingPedersen(context, parameters, pedersen, entropy("Πprm"));
  const own = pedersen.parameters;
  const fields = [parameters.iterations, own.n, own.s, own.t, proof.commitments];
  return {
    proof: "Πprm",
    context,
    fields,
    sampled: "bits",
    bytes: encode(ringPedersenProofCodec(parameters), proof),
  };
};

const blumModulus = (): Made => {
  const context = contextOf("aux/3 Πmod", "all");
  const { factors, publicKey } = prover.paillier;
  const proof = proveBlumModulus(context, parameters, factors, entropy("Πmod"));
  const fields = [parameters.iterations, publicKey.n, proof.w];
  const bytes = encode(blumModulusProofCodec(parameters), proof);
  return { proof: "Πmod", context, fields, sampled: "units", modulus: publicKey.n, bytes };
};

const noSmallFactor = (): Made => {
  const context = contextOf("aux/3 Πfac", 2);
  const factors = insecureAuxiliaryPrimes(1);
  const proof = proveNoSmallFactor(
    context,
    parameters,
    factors,
    verifier.pedersen.parameters,
    entropy("Πfac"),
  );
  const { commitmentP, commitmentQ, a, b, t: T } = proof;
  const fields = [...level, factors.p * factors.q, nHat, s, t, commitmentP, commitmentQ, a, b, T];
  const bytes = encode(noSmallFactorProofCodec(parameters), proof);
  return { proof: "Πfac", context, fields, sampled: "symmetric about 2^ℓ", bytes };
};

const paillierElGamal = (): Made => {
  const context = contextOf("presign/1 K", 2);
  const { paillier } = prover;
  const [x, rho, a, b] = [-123_456n, 17n, 31n, 41n];
  const { key, B, X } = elGamal(a, b, x);
  const C = encrypt(paillier.publicKey, x, rho);
  const pedersen = verifier.pedersen.parameters;
  const mask = preparePaillierElGamal(parameters, paillier, pedersen, entropy("Πenc-elg"));
  const statement = { encryption: paillier.publicKey, C, A: key, B, X, pedersen };
  const proof = provePaillierElGamal(context, parameters, statement, { x, rho, a, b }, paillier, mask);
  const { S, T, D, Y, Z } = proof;
  const fields = [...level, paillier.publicKey.n, C, key, B, X, nHat, s, t, S, T, D, Y, Z];
  const bytes = encode(paillierElGamalProofCodec(parameters), proof);
  return { proof: "Πenc-elg", context, fields, sampled: "symmetric about the order", bytes };
};

const affineOperation = (): Made => {
  const context = contextOf("presign/2 D", 2);
  const [receiver, encryption] = [verifier.paillier.publicKey, prover.paillier.publicKey];
  const [x, y, rho, rhoY] = [4_321n, -9_876n, 19n, 23n];
  const C = encrypt(receiver, 12_345n, 7n);
  const D = add(receiver, scale(receiver, C, x), encrypt(receiver, y, rho));
  const Y = encrypt(encryption, y, rhoY);
  const peer = { paillier: receiver, pedersen: verifier.pedersen.parameters };
  const offset = { y, rho, rhoY };
  const mask = prepareAffineOperation(parameters, prover.paillier, peer, offset, entropy("Πaff-g"));
  const X = multiplyBase(x);
  const statement = { receiver, encryption, C, D, Y, X, pedersen: peer.pedersen };
  const proof = proveAffineOperation(context, parameters, statement, x, prover.paillier, mask);
  const { A, Bx, By, E, S, F, T } = proof;
  const stated = [...level, parameters.ellPrime, receiver.n, encryption.n, C, D, Y, X, nHat, s, t];
  const fields = [...stated, A, Bx, By, E, S, F, T];
  const bytes = encode(affineOperationProofCodec(parameters), proof);
  return { proof: "Πaff-g", context, fields, sampled: "symmetric about the order", bytes };
};

const PROOFS = [
  schnorr,
  elGamalLog,
  ringPedersen,
  blumModulus,
  noSmallFactor,
  paillierElGamal,
  affineOperation,
];

/** A proof of each kind with the reduced parameters, and every input of its challenge. */
export const challengeVectors = () =>
  PROOFS.map((make) => {
    const { proof, context, fields, sampled, modulus, bytes } = make();
    const drawn = DRAWS[sampled](challenge(proof, context, fields), modulus ?? 0n);
    return {
      proof,
      context: writtenContext(context),
      fields: fields.map(written),
      sampled,
      challenge: drawn.map(String),
      bytes: hexOf(bytes),
    };
  });
