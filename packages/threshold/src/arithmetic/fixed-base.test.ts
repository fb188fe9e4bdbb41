import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INSECURE_BLUM_PRIMES } from "../testing/insecure-test-primes.ts";
import { publicPowers } from "./fixed-base.ts";
import { powBySquaring } from "./openssl.ts";

const [p = 0n, q = 0n] = INSECURE_BLUM_PRIMES;
const modulus = p * q;
const MANY = 40; // enough exponents for tables

const oneByOne = (base: bigint, exponents: readonly bigint[]): readonly bigint[] =>
  exponents.map((exponent) => powBySquaring(base, exponent, modulus));

describe("many powers of one base", () => {
  test("are those that squaring and multiplying gives", () => {
    const exponents = fc.array(fc.bigInt({ min: 0n, max: modulus }), { minLength: MANY, maxLength: MANY });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: modulus - 1n }), exponents, (base, given) => {
        expect(publicPowers(base, given, modulus)).toEqual(oneByOne(base, given));
      }),
      { numRuns: 3 },
    );
  });

  test("are right for every single bit of the exponent, and for none", () => {
    const exponents = [0n, ...Array.from({ length: 400 }, (_, bit) => 1n << BigInt(bit))];
    expect(publicPowers(3n, exponents, modulus)).toEqual(oneByOne(3n, exponents));
  });

  test.each([0n, 1n, 2n, p, modulus - 1n])("are right for the base %i", (base) => {
    const exponents = Array.from({ length: MANY }, (_, i) => BigInt(i) ** 20n);
    expect(publicPowers(base, exponents, modulus)).toEqual(oneByOne(base, exponents));
  });

  test.each([
    ["no exponent", []],
    ["a few", [0n, 1n, p, modulus]],
    ["only zeros", Array.from({ length: MANY }, () => 0n)],
  ])("are right for %s", (_, exponents) => {
    expect(publicPowers(5n, exponents, modulus)).toEqual(oneByOne(5n, exponents));
  });
});
