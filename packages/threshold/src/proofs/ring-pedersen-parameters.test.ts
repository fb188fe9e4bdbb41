import { describe, expect, test } from "vitest";
import { powModulo } from "../arithmetic/openssl.ts";
import { decode, encode } from "../codec.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { challenge, type ProofContext } from "../transcript.ts";
import {
  proveRingPedersen,
  type RingPedersenProof,
  ringPedersenProofBytesMax,
  ringPedersenProofCodec,
  verifyRingPedersen,
} from "./ring-pedersen-parameters.ts";

const own = insecureOwnAuxiliary(1).pedersen;
const statement = own.parameters;
const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 4,
  prover: 1,
  verifier: "all",
  position: "test",
};
const proof = proveRingPedersen(context, parameters, own, seededEntropy("Πprm"));
const isAccepted = (changed: Partial<RingPedersenProof>): boolean =>
  verifyRingPedersen(context, parameters, statement, { ...proof, ...changed });
const withFirst = (values: readonly bigint[], first: bigint): readonly bigint[] => [
  first,
  ...values.slice(1),
];
const first = (values: readonly bigint[]): bigint => values[0] ?? 0n;
const { commitments, responses } = proof;

describe("Πprm", () => {
  test("accepts what an honest prover makes", () => {
    expect(isAccepted({})).toBe(true);
  });

  test("is checked in each of as many repetitions as production makes", () => {
    const many = { ...parameters, iterations: 128 };
    const made = proveRingPedersen(context, many, own, seededEntropy("128"));
    const isTaken = (responses: readonly bigint[]): boolean =>
      verifyRingPedersen(context, many, statement, { ...made, responses });
    expect(isTaken(made.responses)).toBe(true);
    for (const wrong of [0, 63, 127]) {
      expect(isTaken(made.responses.map((z, i) => (i === wrong ? z ^ 1n : z)))).toBe(false);
    }
  });

  test("survives its encoding, within the announced size", () => {
    const bytes = encode(ringPedersenProofCodec(parameters), proof);
    expect(decode(ringPedersenProofCodec(parameters), bytes)).toEqual({ ok: true, value: proof });
    expect(bytes.length).toBeLessThanOrEqual(ringPedersenProofBytesMax(parameters));
  });

  test("rejects s outside the group of t, whatever λ the prover claims", () => {
    const foreign = { ...statement, s: statement.n - statement.s };
    const forged = proveRingPedersen(
      context,
      parameters,
      { ...own, parameters: foreign },
      seededEntropy("x"),
    );
    expect(verifyRingPedersen(context, parameters, foreign, forged)).toBe(false);
  });

  test("rejects a wrong λ", () => {
    const wrong = { ...own, lambda: own.lambda + 1n };
    const forged = proveRingPedersen(context, parameters, wrong, seededEntropy("x"));
    expect(verifyRingPedersen(context, parameters, statement, forged)).toBe(false);
  });

  test("P3 rejects a prover that guesses every challenge bit to be 0", () => {
    const guessed = responses.map((response) => powModulo(statement.t, response, statement.n));
    expect(isAccepted({ commitments: guessed })).toBe(false);
  });

  test.each<[string, ProofContext]>([
    ["session", { ...context, session: new Uint8Array(32).fill(2) }],
    ["epoch", { ...context, epoch: 5 }],
    ["prover", { ...context, prover: 2 }],
    ["verifier", { ...context, verifier: 2 }],
    ["position", { ...context, position: "elsewhere" }],
  ])("P11 rejects a proof made for another %s", (_, elsewhere) => {
    expect(verifyRingPedersen(elsewhere, parameters, statement, proof)).toBe(false);
  });

  test.each([
    ["N^", { ...statement, n: statement.n + 2n }],
    ["s", { ...statement, s: statement.s + 1n }],
    ["t", { ...statement, t: statement.t + 1n }],
    ["s = 0", { ...statement, s: 0n }],
    ["t = 0", { ...statement, t: 0n }],
    ["s that shares a factor with N^", { ...statement, s: own.factors.p }],
    ["t that shares a factor with N^", { ...statement, t: own.factors.q }],
  ])("rejects another statement: %s", (_, other) => {
    expect(verifyRingPedersen(context, parameters, other, proof)).toBe(false);
  });

  test.each<[string, Partial<RingPedersenProof>]>([
    ["a changed commitment", { commitments: withFirst(commitments, first(commitments) + 1n) }],
    ["a commitment of 0", { commitments: withFirst(commitments, 0n) }],
    ["a commitment not below N^", { commitments: withFirst(commitments, first(commitments) + statement.n) }],
    ["a commitment that shares a factor with N^", { commitments: withFirst(commitments, own.factors.p) }],
    ["a negative commitment", { commitments: withFirst(commitments, first(commitments) - statement.n) }],
    ["a changed response", { responses: withFirst(responses, first(responses) + 1n) }],
    ["a negative response", { responses: withFirst(responses, first(responses) - own.factors.phi) }],
    ["two exchanged commitments", { commitments: [...commitments.slice(1), first(commitments)] }],
    ["two exchanged responses", { responses: [...responses.slice(1), first(responses)] }],
  ])("rejects %s", (_, changed) => {
    expect(isAccepted(changed)).toBe(false);
  });

  test("rejects s and t that are 0 modulo one factor, though the equations hold", () => {
    const t = (statement.t * own.factors.p) % statement.n;
    const weak = { n: statement.n, t, s: powModulo(t, own.lambda, statement.n) };
    const forged = proveRingPedersen(
      context,
      parameters,
      { ...own, parameters: weak },
      seededEntropy("weak"),
    );
    const holds = forged.responses.map((response, i) => {
      const power = powModulo(t, response, weak.n);
      const commitment = forged.commitments[i] ?? 0n;
      return power === commitment || power === (commitment * weak.s) % weak.n;
    });
    expect(holds).toEqual(new Array<boolean>(parameters.iterations).fill(true));
    expect(verifyRingPedersen(context, parameters, weak, forged)).toBe(false);
  });

  test.each(["s", "t"] as const)("P10 rejects %s of N^ or more even where every equation holds", (name) => {
    const long = { ...statement, [name]: statement[name] + statement.n };
    const forged = proveRingPedersen(context, parameters, { ...own, parameters: long }, seededEntropy("x"));
    expect(verifyRingPedersen(context, parameters, long, forged)).toBe(false);
  });

  test("P10 rejects a commitment of N^ or more even where its equation holds", () => {
    const { n, s, t } = statement;
    const nonces = proof.responses;
    const powers = nonces.map((nonce) => powModulo(t, nonce, n));
    // where e_i is 1, the equation reduces A_i; so each commitment is tried unreduced
    const tried = powers.map((_, long) => {
      const commitments = powers.map((power, i) => (i === long ? power + n : power));
      const fields = [parameters.iterations, n, s, t, commitments];
      const bits = challenge("Πprm", context, fields).bits(parameters.iterations);
      const responses = nonces.map((nonce, i) =>
        bits[i] === true ? (nonce + own.lambda) % own.factors.phi : nonce,
      );
      return { holds: bits[long] === true, isTaken: isAccepted({ commitments, responses }) };
    });
    expect(tried.some(({ holds }) => holds)).toBe(true);
    expect(tried.some(({ isTaken }) => isTaken)).toBe(false);
  });

  test("rejects a response of N^ or more even where the equation holds", () => {
    const long = first(responses) + 2n * own.factors.phi;
    expect(powModulo(statement.t, long, statement.n)).toBe(
      powModulo(statement.t, first(responses), statement.n),
    );
    expect(isAccepted({ responses: withFirst(responses, long) })).toBe(false);
  });

  test.each<[string, Partial<RingPedersenProof>]>([
    ["empty vectors", { commitments: [], responses: [] }],
    ["missing commitments", { commitments: [] }],
    ["missing responses", { responses: [] }],
    ["one iteration too few", { commitments: commitments.slice(1), responses: responses.slice(1) }],
    ["one response too many", { responses: [...responses, 1n] }],
  ])("P10 rejects %s", (_, changed) => {
    expect(isAccepted(changed)).toBe(false);
  });

  test.each([0, 1, parameters.iterations - 1, parameters.iterations + 1])(
    "P10 does not decode a proof of %i iterations",
    (iterations) => {
      const other = { ...parameters, iterations };
      const short = proveRingPedersen(context, other, own, seededEntropy("short"));
      const bytes = encode(ringPedersenProofCodec(other), short);
      expect(decode(ringPedersenProofCodec(parameters), bytes).ok).toBe(false);
    },
  );

  test("P4 the challenge bits of proofs are balanced in every position", () => {
    const proofs = 64; // a fair count has a standard deviation of 4
    const ones = new Array<number>(parameters.iterations).fill(0);
    for (let i = 0; i < proofs; i++) {
      const made = proveRingPedersen(
        { ...context, epoch: i },
        parameters,
        own,
        seededEntropy(`balance/${i}`),
      );
      for (const [position, response] of made.responses.entries()) {
        const isZero = powModulo(statement.t, response, statement.n) === made.commitments[position];
        ones[position] = (ones[position] ?? 0) + (isZero ? 0 : 1);
      }
    }
    expect(ones.filter((count) => count < 12 || count > 52)).toEqual([]);
  });

  test("P4 the challenge bits of 128 iterations are balanced in every position", () => {
    const draws = 1024; // a fair count has a standard deviation of 16
    const ones = new Array<number>(128).fill(0);
    for (let i = 0; i < draws; i++) {
      const bits = challenge("Πprm", { ...context, epoch: i }, [statement.n]).bits(128);
      for (const [position, bit] of bits.entries()) ones[position] = (ones[position] ?? 0) + (bit ? 1 : 0);
    }
    expect(ones.filter((count) => count < 432 || count > 592)).toEqual([]);
  });
});
