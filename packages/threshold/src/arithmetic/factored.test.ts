import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INSECURE_BLUM_PRIMES } from "../testing/insecure-test-primes.ts";
import { areUnitsKnowing, factoredModulus, fromResidues, nthPower, nthRoot, powerModN } from "./factored.ts";
import { inverse, isUnit } from "./integers.ts";
import { powModulo } from "./openssl.ts";

const [p = 0n, q = 0n] = INSECURE_BLUM_PRIMES;
const own = factoredModulus(p, q);
const { n } = own;
const nSquared = n * n;
const unit = fc.bigInt({ min: 1n, max: n - 1n }).filter((value) => isUnit(value, n));
const exponent = fc.bigInt({ min: -(1n << 1500n), max: 1n << 1500n });
const runs = { numRuns: 20 };

const longPower = (base: bigint, e: bigint, modulus: bigint): bigint =>
  e >= 0n ? powModulo(base % modulus, e, modulus) : powModulo(inverse(base, modulus) ?? 0n, -e, modulus);

describe("arithmetic with known factors", () => {
  test("powers modulo N agree with long ones, negative exponents included", () => {
    fc.assert(
      fc.property(unit, exponent, (base, e) => {
        expect(powerModN(own, base, e)).toBe(longPower(base, e, n));
      }),
      runs,
    );
  });

  test("units are the same with the factors as without", () => {
    const values = [1n, n - 1n, p, n - q, 0n, n, n + 1n, -1n, 5n * p];
    const verdicts = values.map((value) => areUnitsKnowing([2n, value], n, own));
    expect(verdicts).toEqual(values.map((value) => areUnitsKnowing([2n, value], n, undefined)));
    expect(verdicts).toEqual(values.map((value) => isUnit(value, n)));
  });

  test("N-th powers agree with long ones", () => {
    fc.assert(
      fc.property(unit, (base) => {
        expect(nthPower(own, base)).toBe(longPower(base, n, nSquared));
      }),
      runs,
    );
  });

  test("N-th roots are those of N-th powers, whatever else the value is modulo N²", () => {
    fc.assert(
      fc.property(unit, (base) => {
        expect(nthRoot(own, nthPower(own, base))).toBe(base);
        expect(nthRoot(own, (nthPower(own, base) * (1n + 7n * n)) % nSquared)).toBe(base);
      }),
      runs,
    );
  });

  test("powers of 1 and -1 and exponents 0 and φ come out right", () => {
    expect(powerModN(own, 1n, 5n)).toBe(1n);
    expect(powerModN(own, n - 1n, 5n)).toBe(n - 1n);
    expect(powerModN(own, 7n, 0n)).toBe(1n);
    expect(powerModN(own, 7n, own.phi)).toBe(1n);
  });

  test("a value is found again from its residues", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: n - 1n }), (value) => {
        expect(fromResidues(own, value % p, value % q)).toBe(value);
      }),
      runs,
    );
  });

  test("the order of the factors does not matter", () => {
    expect(powerModN(factoredModulus(q, p), 3n, 12_345n)).toBe(powerModN(own, 3n, 12_345n));
  });
});
