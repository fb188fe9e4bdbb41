import { bytesToNumberBE, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, test } from "vitest";
import { mustInvert } from "../arithmetic/integers.ts";
import { powModulo } from "../arithmetic/openssl.ts";
import { decode, encode } from "../codec.ts";
import { type Entropy, sampleBelow } from "../entropy.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { PRODUCTION_PARAMETERS } from "../parameters.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { challenge, type ProofContext } from "../transcript.ts";
import {
  type RingPedersenProof,
  ringPedersenProofCodec,
  verifyRingPedersen,
} from "./ring-pedersen-parameters.ts";

// The three attacks of TSSHOCK (Verichains, 2023) on proofs of discrete logarithms, each against the verifier
// that it broke and against ours.

const own = insecureOwnAuxiliary(1).pedersen;
const { n, t } = own.parameters;
/** s = -t^λ: no power of t, so that commitments under it do not hide. */
const outside = { n, t, s: n - own.parameters.s };
const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 0,
  prover: 1,
  verifier: "all",
  position: "TSSHOCK",
};

describe("P3 c-guess: who knows no λ guesses the challenge, builds its commitments on it, and tries again", () => {
  /** A_i = t^(z_i)·s^(-g_i) for guessed bits g_i: accepted if all guesses are right. */
  const guess = (iterations: number, entropy: Entropy): RingPedersenProof => {
    const inverse = mustInvert(outside.s, n);
    const responses = Array.from({ length: iterations }, () => sampleBelow(entropy, n));
    const commitments = responses.map((response) => {
      const isGuessed = (entropy(1)[0] ?? 0) % 2 === 1;
      return (powModulo(t, response, n) * (isGuessed ? inverse : 1n)) % n;
    });
    return { commitments, responses };
  };
  const forgedIn = (iterations: number, tries: number): number =>
    Array.from({ length: tries }, (_, attempt) =>
      guess(iterations, seededEntropy(`guess ${attempt}`)),
    ).filter((forged) => verifyRingPedersen(context, { ...parameters, iterations }, outside, forged)).length;

  test("half of all guesses convince when there is one repetition, none of twenty when there are sixteen", () => {
    expect(forgedIn(1, 60)).toBeGreaterThan(15);
    expect(forgedIn(2, 60)).toBeGreaterThan(3);
    expect(forgedIn(parameters.iterations, 20)).toBe(0);
  });

  test("production repeats 128 times, and the number is the verifier's: no message can lower it", () => {
    expect(PRODUCTION_PARAMETERS.iterations).toBe(128);
    const lucky = guess(1, seededEntropy("guess 0"));
    const bytes = encode(ringPedersenProofCodec({ ...parameters, iterations: 1 }), lucky);
    expect(decode(ringPedersenProofCodec(parameters), bytes).ok).toBe(false);
    expect(verifyRingPedersen(context, parameters, outside, lucky)).toBe(false);
  });
});

describe("P3 c-split: one long challenge over a group of even order is known modulo 2 half of the time", () => {
  /** INSECURE: t^z = A·s^e for one long e, as in implementations of GG18. */
  const isTakenByOneChallenge = (attempt: number): boolean => {
    const entropy = seededEntropy(`split ${attempt}`);
    const nonce = sampleBelow(entropy, own.factors.phi);
    const commitment = powModulo(t, nonce, n);
    const e = challenge("long", context, [n, outside.s, t, commitment]).below(1n << 256n);
    const z = nonce + e * own.lambda;
    return powModulo(t, z, n) === (commitment * powModulo(outside.s, e, n)) % n;
  };

  test("such a verifier takes s = -t^λ for every even challenge; ours asks for every bit by itself", () => {
    const taken = Array.from({ length: 20 }, (_, attempt) => isTakenByOneChallenge(attempt));
    expect(new Set(taken)).toEqual(new Set([true, false]));
    const convinced = Array.from({ length: 20 }, (_, attempt) => {
      const entropy = seededEntropy(`bits ${attempt}`);
      const nonces = Array.from({ length: parameters.iterations }, () =>
        sampleBelow(entropy, own.factors.phi),
      );
      const commitments = nonces.map((nonce) => powModulo(t, nonce, n));
      const bits = challenge("Πprm", context, [parameters.iterations, n, outside.s, t, commitments]).bits(
        parameters.iterations,
      );
      const responses = nonces.map((nonce, i) =>
        bits[i] === true ? (nonce + own.lambda) % own.factors.phi : nonce,
      );
      return verifyRingPedersen(context, parameters, outside, { commitments, responses });
    });
    expect(convinced).not.toContain(true);
  });
});

describe("P3 alpha-shuffle: a separator that values may contain lets the same bytes mean other values", () => {
  const [a, b, c] = ["0102", "0304", "0506"].map(hexToBytes);
  if (a === undefined || b === undefined || c === undefined) throw new Error("three values");
  const DOLLAR = Uint8Array.of(0x24);
  const number = (...parts: readonly Uint8Array[]): bigint => bytesToNumberBE(concatBytes(...parts));
  /** INSECURE: values concatenated with a $ between them, as tss-lib hashed them. */
  const joined = (values: readonly bigint[]): string => {
    const hex = values.map((value) => value.toString(16).padStart(2, "0"));
    return hex.map((digits) => (digits.length % 2 === 0 ? digits : `0${digits}`)).join("24");
  };
  const drawn = (commitments: readonly bigint[]): readonly boolean[] =>
    challenge("Πprm", context, [128, n, outside.s, t, commitments]).bits(128);

  test("joined values collide; ours carry their lengths, and draw other challenges", () => {
    const [one, other] = [
      [number(a, DOLLAR, b), number(c)],
      [number(a), number(b, DOLLAR, c)],
    ];
    expect(joined(one)).toBe(joined(other));
    expect(drawn(one)).not.toEqual(drawn(other));
  });

  test("a value that moves from one list to the next draws another challenge, though all values stay in order", () => {
    const bitsOf = (...lists: readonly (readonly bigint[])[]) => challenge("lists", context, lists).bits(128);
    expect(bitsOf([1n, 2n], [3n])).not.toEqual(bitsOf([1n], [2n, 3n]));
    expect(bitsOf([1n, 2n, 3n])).not.toEqual(bitsOf([1n], [2n], [3n]));
  });
});
