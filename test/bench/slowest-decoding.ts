// Measures the most expensive message that each decoder accepts, at production parameters and with the most parties. Run:
// node_modules/.bin/tsx test/bench/slowest-decoding.ts
import {
  auxiliaryOpeningBytesMax,
  auxiliaryOpeningCodec,
} from "../../packages/threshold/src/auxiliary/opening.ts";
import { type Codec, decode, encode } from "../../packages/threshold/src/codec.ts";
import { type Curve, type GroupPoint, SECP256K1 } from "../../packages/threshold/src/curve.ts";
import { PARTIES_MAX } from "../../packages/threshold/src/fault.ts";
import { keyShareCodec } from "../../packages/threshold/src/keygen/key-share.ts";
import { keyOpeningCodec } from "../../packages/threshold/src/keygen/opening.ts";
import { PRODUCTION_PARAMETERS as parameters } from "../../packages/threshold/src/parameters.ts";
import { conversionsCodec, disputeOpeningCodec } from "../../packages/threshold/src/presign/messages.ts";
import { noSmallFactorProofCodec } from "../../packages/threshold/src/proofs/no-small-factor.ts";
import { blumModulusProofCodec } from "../../packages/threshold/src/proofs/paillier-blum-modulus.ts";
import { CGGMP24, FROST_ED25519, type Scheme } from "../../packages/threshold/src/scheme.ts";
import { testParties } from "../../packages/threshold/src/testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../../packages/threshold/src/testing/insecure-key-shares.ts";

const REPEATS = 25;
const PEERS = PARTIES_MAX - 1;
const bytes = new Uint8Array(32);
const largest = (bits: number): bigint => (1n << BigInt(bits)) - 1n;
const element = largest(2 * parameters.primeBits);
const ciphertext = largest(4 * parameters.primeBits);
const mask = parameters.ell + parameters.epsilon;

interface Case {
  readonly name: string;
  readonly length: number;
  readonly decode: () => void;
}

const caseOf = <T>(name: string, codec: Codec<T>, value: T): Case => {
  const encoded = encode(codec, value);
  return {
    name,
    length: encoded.length,
    decode: () => {
      const decoded = decode(codec, encoded);
      if (!decoded.ok) throw new Error(`${name}: ${decoded.reason}`);
    },
  };
};

const repeated = <T>(value: T, count: number): readonly T[] => Array.from({ length: count }, () => value);

const keyCases = <P extends GroupPoint<P>>(scheme: Scheme<P>): readonly Case[] => {
  const curve: Curve<P> = scheme.curve;
  const point = curve.generator;
  const opening = {
    rid: bytes,
    polynomial: repeated(point, PARTIES_MAX),
    schnorr: point,
    mask: bytes,
    chainCode: bytes,
  };
  const parties = testParties(PARTIES_MAX);
  const threshold = PARTIES_MAX / 2;
  const [share] = insecureSchemeShares(scheme, threshold, parties).values();
  if (share === undefined) throw new Error("the dealer made no shares");
  return [
    caseOf(
      `key generation: opening, t = ${PARTIES_MAX}, ${curve.name}`,
      keyOpeningCodec(curve, PARTIES_MAX),
      opening,
    ),
    caseOf(`stored key share, ${threshold} of ${PARTIES_MAX}, ${curve.name}`, keyShareCodec(scheme), share),
  ];
};

const conversion = { D: ciphertext, F: ciphertext };
const G = SECP256K1.generator;
const logProof = { A: G, N: G, B: G, z: 1n, u: 1n };
const proofOfParameters = {
  commitments: repeated(element, parameters.iterations),
  responses: repeated(element, parameters.iterations),
};

const cases: readonly Case[] = [
  ...keyCases(CGGMP24),
  ...keyCases(FROST_ED25519),
  caseOf("auxiliary generation: opening with Πprm", auxiliaryOpeningCodec(parameters), {
    n: element,
    nHat: element,
    s: element,
    t: element,
    proof: proofOfParameters,
    rho: bytes,
    mask: bytes,
  }),
  caseOf("auxiliary generation: Πmod", blumModulusProofCodec(parameters), {
    w: element,
    answers: repeated({ x: element, a: true, b: true, z: element }, parameters.iterations),
  }),
  caseOf("auxiliary generation: Πfac", noSmallFactorProofCodec(parameters), {
    commitmentP: element,
    commitmentQ: element,
    a: element,
    b: element,
    t: element,
    z1: largest(mask + parameters.primeBits),
    z2: largest(mask + parameters.primeBits),
    w1: largest(mask + 2 * parameters.primeBits),
    w2: largest(mask + 2 * parameters.primeBits),
    v: largest(mask + 4 * parameters.primeBits),
  }),
  caseOf(`presigning: conversions for ${PEERS} peers`, conversionsCodec(parameters, PEERS), {
    Gamma: G,
    proof: logProof,
    pairs: repeated({ nonce: conversion, key: conversion }, PEERS),
  }),
  caseOf(`presigning that failed: opening to ${PEERS} peers`, disputeOpeningCodec(parameters, PEERS), {
    k: 1n,
    gamma: 1n,
    plaintexts: repeated({ alpha: element, root: element }, PEERS),
    offsets: repeated({ alpha: element, root: element }, PEERS),
  }),
];

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const measure = ({ decode: run }: Case): number => {
  run();
  const times = Array.from({ length: REPEATS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return median(times);
};

const measured = cases.map((one) => ({ ...one, ms: measure(one) })).toSorted((a, b) => b.ms - a.ms);
for (const { name, length, ms } of measured) {
  console.log(`${ms.toFixed(2).padStart(8)} ms ${String(length).padStart(7)} bytes  ${name}`);
}
console.log(`largest opening that a round takes: ${auxiliaryOpeningBytesMax(parameters)} bytes`);
