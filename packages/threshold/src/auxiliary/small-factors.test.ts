import { describe, expect, test } from "vitest";
import { bitLength, gcd } from "../arithmetic/integers.ts";
import { hasSmallFactor } from "../arithmetic/small-factors.ts";
import { decode, encode } from "../codec.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { type Factors, noSmallFactorProofCodec, proveNoSmallFactor } from "../proofs/no-small-factor.ts";
import { type BlumModulusProof, blumModulusProofCodec } from "../proofs/paillier-blum-modulus.ts";
import { Secret } from "../secret.ts";
import {
  bestAnswers,
  blumPrimesBelow,
  equationsHold,
  productOf,
  vanishingW,
} from "../testing/forged-blum-modulus.ts";
import { insecureAuxiliaryPrimes, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { INSECURE_BLUM_PRIMES } from "../testing/insecure-test-primes.ts";
import { type Mutate, runLockstep } from "../testing/lockstep.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import type { ProofContext } from "../transcript.ts";
import { startAuxiliaryGeneration } from "./auxiliary.ts";
import { type AuxiliaryOpening, auxiliaryCommitment, auxiliaryOpeningCodec } from "./opening.ts";
import { type AuxiliaryRun, factorContext, modulusContext, sessionWithRho } from "./run.ts";

// The attack of CVE-2023-33241 on a whole run: a party presents a Paillier modulus with sixteen small
// factors, by which sixteen signatures would reveal to it every party's share, and gives the best proofs it
// can.

const parties = testParties(2);
const [honest, cheat] = [testParty(1), testParty(2)];
const runOf = (self: typeof honest): AuxiliaryRun => ({
  session: new Uint8Array(32).fill(3),
  self,
  parties,
  epoch: 0,
  parameters,
});

/** Parameters that accept longer responses than an honest party sends. */
const WIDE = { ...parameters, epsilon: 2 * parameters.epsilon };

interface Offer {
  readonly primes: readonly bigint[];
  /** how the cheat splits N for Πfac */
  readonly split: Factors;
  /** makes the cheat's Πmod, once the inputs of its challenge are known */
  readonly prove: (context: ProofContext) => BlumModulusProof;
}

const opened = (payload: Uint8Array): AuxiliaryOpening => {
  const opening = decode(auxiliaryOpeningCodec(parameters), payload);
  if (!opening.ok) throw new Error(opening.reason);
  return opening.value;
};

const xor = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((byte, at) => byte ^ (b[at] ?? 0));

/** Changes the cheat's messages: honest, except for the N that it commits to, opens and proves. */
const offering = ({ primes, split, prove }: Offer): Mutate => {
  const n = productOf(primes);
  const openings = new Map<number, AuxiliaryOpening>();
  let honestly: AuxiliaryOpening | undefined;
  return ({ from, round, kind, payload }) => {
    if (round === 2 && from === honest) openings.set(honest, opened(payload));
    if (from !== cheat) return payload;
    honestly ??= cheatsOpening;
    const lie = { ...honestly, n };
    if (round === 1) return auxiliaryCommitment(runOf(cheat), cheat, lie);
    if (round === 2) return encode(auxiliaryOpeningCodec(parameters), lie);
    const theirs = openings.get(honest);
    if (theirs === undefined) throw new Error("round 3 comes after round 2");
    const bound = sessionWithRho(runOf(cheat), xor(theirs.rho, lie.rho));
    if (kind === "broadcast") {
      return encode(blumModulusProofCodec(parameters), prove(modulusContext(runOf(cheat), bound, cheat)));
    }
    const verifier = { n: theirs.nHat, s: theirs.s, t: theirs.t };
    const context = factorContext(runOf(cheat), bound, cheat, honest);
    const proof = proveNoSmallFactor(context, parameters, split, verifier, seededEntropy("split"));
    return encode(noSmallFactorProofCodec(WIDE), proof);
  };
};

const generate = (mutate: Mutate) =>
  runLockstep({
    starts: new Map(
      parties.map((self) => {
        const primes = new Secret(insecureAuxiliaryPrimes(self));
        return [self, startAuxiliaryGeneration({ ...runOf(self), primes })];
      }),
    ),
    mutate,
  });

/** The opening that the cheat would send if it were honest; the seed determines it. */
const findOpening = (): AuxiliaryOpening => {
  const openings: AuxiliaryOpening[] = [];
  generate(({ from, round, payload }) => {
    if (from === cheat && round === 2) openings.push(opened(payload));
    return payload;
  });
  const [opening] = openings;
  if (opening === undefined) throw new Error("the cheat opens in round 2");
  return opening;
};
const cheatsOpening = findOpening();

/** The honest party's accusation against an offer; its outcome's kind if it makes none. */
const verdict = (offer: Offer): unknown => {
  const outcome = generate(offering(offer)).get(honest);
  return outcome?.kind === "fault" ? outcome.accusation : outcome?.kind;
};
const naming = (check: unknown): unknown => ({ culprit: cheat, check });

const half = (primes: readonly bigint[], at: number): readonly bigint[] =>
  primes.filter((_, place) => place % 2 === at);

/**
 * Sixteen factors of this many bits and two large ones; each side of the split is as long as a prime of an
 * honest N.
 */
const balanced = (bits: number): readonly bigint[] => {
  const small = blumPrimesBelow(1n << BigInt(bits), 16);
  const largeBits = parameters.primeBits - 8 * bits;
  const cut = BigInt(parameters.primeBits - largeBits);
  const large = [20, 21].flatMap((at) => blumPrimesBelow((INSECURE_BLUM_PRIMES[at] ?? 0n) >> cut, 1));
  return [...large, ...small];
};
const splitOf = (primes: readonly bigint[]): Factors => ({
  p: productOf(half(primes, 0)),
  q: productOf(half(primes, 1)),
});
/** A w with Jacobi symbol -1, which today's verifier requires. */
const honestLooking = (primes: readonly bigint[]) => (context: ProofContext) =>
  bestAnswers(context, parameters, primes, productOf(primes) - productOf(primes.slice(0, 1)) - 1n);

describe("a Paillier modulus with many small factors is refused", () => {
  test("P1 when they have 16 bits, as in CVE-2023-33241: by trial division, before any proof", () => {
    const primes = balanced(16);
    expect(bitLength(productOf(primes))).toBeGreaterThanOrEqual(parameters.modulusBitsMin);
    const offer = { primes, split: splitOf(primes), prove: honestLooking(primes) };
    expect(verdict(offer)).toEqual(naming("aux/2 N: small factors"));
  });

  const primes = balanced(24);
  const n = productOf(primes);

  test("P1 when trial division does not find them and they are split evenly: Πfac holds, Πmod does not", () => {
    expect(hasSmallFactor(n)).toBe(false);
    expect(gcd(n, productOf(primes.map((prime) => prime - 1n)))).toBe(1n);
    const offer = { primes, split: splitOf(primes), prove: honestLooking(primes) };
    expect(verdict(offer)).toEqual(naming("aux/3 Πmod"));
  });

  test("P2 when its Πmod is the forgery of CVE-2025-66016, which satisfies every equation of the figure", () => {
    let isConvincing = false;
    const prove = (context: ProofContext): BlumModulusProof => {
      const forged = bestAnswers(context, parameters, primes, vanishingW(primes));
      isConvincing = equationsHold(context, parameters, n, forged).every((holds) => holds);
      return forged;
    };
    expect(verdict({ primes, split: splitOf(primes), prove })).toEqual(naming("aux/3 Πmod"));
    expect(isConvincing).toBe(true); // a verifier that checks only the equations accepts such a modulus
  });

  test("P1 when one prime holds most of its bits: Πfac does not hold, whatever Πmod says", () => {
    const small = blumPrimesBelow(1n << 21n, 14);
    const large = blumPrimesBelow(1n << BigInt(2 * parameters.primeBits - bitLength(productOf(small))), 1);
    const uneven = [...large, ...small];
    expect(bitLength(productOf(uneven))).toBeGreaterThanOrEqual(parameters.modulusBitsMin);
    const split = { p: productOf(small), q: productOf(large) };
    const prove = (context: ProofContext) => bestAnswers(context, parameters, uneven, vanishingW(uneven));
    expect(verdict({ primes: uneven, split, prove })).toEqual(
      naming(expect.stringMatching(/^aux\/3 (decoding of )?Πfac/)),
    );
  });
});
