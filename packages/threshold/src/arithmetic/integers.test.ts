import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  areUnits,
  bitLength,
  gcd,
  inverse,
  isUnit,
  isWithin,
  jacobi,
  modulo,
  mustInvert,
  squareRoot,
  symmetricModulo,
} from "./integers.ts";

const anyInteger = fc.bigInt({ min: -(1n << 700n), max: 1n << 700n });
const modulus = fc.bigInt({ min: 2n, max: 1n << 700n });

describe("remainders", () => {
  test("lie in [0, modulus) and differ from the value by a multiple of it", () => {
    fc.assert(
      fc.property(anyInteger, modulus, (value, m) => {
        const rest = modulo(value, m);
        expect(rest >= 0n && rest < m).toBe(true);
        expect((value - rest) % m).toBe(0n);
      }),
    );
  });

  test("P18 symmetric ones lie in (-modulus/2, modulus/2]", () => {
    fc.assert(
      fc.property(anyInteger, modulus, (value, m) => {
        const rest = symmetricModulo(value, m);
        expect(2n * rest > -m && 2n * rest <= m).toBe(true);
        expect((value - rest) % m).toBe(0n);
      }),
    );
  });

  test.each<[bigint, bigint, bigint]>([
    [3n, 6n, 3n],
    [-3n, 6n, 3n],
    [4n, 6n, -2n],
    [3n, 7n, 3n],
    [4n, 7n, -3n],
  ])("P18 the symmetric representative of %i modulo %i is %i", (value, m, expected) => {
    expect(symmetricModulo(value, m)).toBe(expected);
  });
});

describe("bit lengths", () => {
  test("agree with the binary form", () => {
    fc.assert(
      fc.property(anyInteger, (value) => {
        const magnitude = value < 0n ? -value : value;
        expect(bitLength(value)).toBe(magnitude === 0n ? 0 : magnitude.toString(2).length);
      }),
    );
  });

  test.each([0, 1, 2, 8, 255, 256, 1536])("±2^%i is within ±2^k and one more is not", (bits) => {
    const bound = 1n << BigInt(bits);
    expect([bound, -bound].map((value) => isWithin(value, bits))).toEqual([true, true]);
    expect([bound + 1n, -bound - 1n].map((value) => isWithin(value, bits))).toEqual([false, false]);
  });
});

describe("divisors and inverses", () => {
  test("gcd divides both, and what remains is coprime", () => {
    fc.assert(
      fc.property(anyInteger, modulus, (a, b) => {
        const divisor = gcd(a, b);
        expect([a % divisor, b % divisor]).toEqual([0n, 0n]);
        expect(gcd(a / divisor, b / divisor)).toBe(1n);
      }),
    );
  });

  test("gcd with 0 is the other, never negative", () => {
    expect([gcd(0n, -12n), gcd(-12n, 0n), gcd(0n, 0n)]).toEqual([12n, 12n, 0n]);
  });

  test("an inverse exists exactly for what is coprime, and inverts", () => {
    fc.assert(
      fc.property(anyInteger, modulus, (value, m) => {
        const inverted = inverse(value, m);
        expect(inverted !== undefined).toBe(gcd(value, m) === 1n);
        if (inverted !== undefined) expect(modulo(value * inverted, m)).toBe(1n);
      }),
    );
  });

  test("an inverse that we know to exist throws where it does not", () => {
    expect(() => mustInvert(6n, 9n)).toThrow("no inverse");
  });

  test.each<[bigint, boolean]>([
    [0n, false],
    [1n, true],
    [3n, false],
    [14n, true],
    [15n, false],
    [16n, false],
    [-1n, false],
  ])("%i is a unit modulo 15: %s", (value, expected) => {
    expect(isUnit(value, 15n)).toBe(expected);
  });

  test("values are all units exactly when each one is", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -2n, max: 240n }), { maxLength: 6 }), (values) => {
        expect(areUnits(values, 221n)).toBe(values.every((value) => isUnit(value, 221n)));
      }),
    );
  });
});

describe("the Jacobi symbol", () => {
  const primes = [3n, 5n, 7n, 11n, 13n, 101n, 103n];

  test("is Euler's criterion for primes", () => {
    for (const prime of primes) {
      for (let value = 0n; value < prime; value++) {
        const euler = value ** ((prime - 1n) / 2n) % prime;
        expect(jacobi(value, prime)).toBe(euler === prime - 1n ? -1 : Number(euler));
      }
    }
  });

  test("is multiplicative in the modulus, and 0 where they share a factor", () => {
    for (const p of primes) {
      for (const q of primes) {
        for (let value = -20n; value < 20n; value++) {
          expect(jacobi(value, p * q)).toBe(jacobi(value, p) * jacobi(value, q) + 0);
        }
      }
    }
  });
});

describe("square roots", () => {
  test("are the largest integers whose square does not exceed the value", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 900n }), (value) => {
        const root = squareRoot(value);
        expect(root * root <= value && (root + 1n) * (root + 1n) > value).toBe(true);
      }),
    );
  });

  test("are exact for squares", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 450n }), (root) => {
        expect(squareRoot(root * root)).toBe(root);
      }),
    );
  });
});
