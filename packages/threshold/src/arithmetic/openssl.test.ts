import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INSECURE_BLUM_PRIMES, INSECURE_SAFE_PRIMES } from "../testing/insecure-test-primes.ts";
import { isProbablePrime, powBySquaring, powModulo, primalityOfModulus } from "./openssl.ts";

const [p = 0n, q = 0n] = INSECURE_BLUM_PRIMES;
const composite = p * q;

describe("modular exponentiation", () => {
  test("agrees with square-and-multiply, for prime and composite moduli and long exponents", () => {
    const exponent = fc.bigInt({ min: 0n, max: 1n << 2000n });
    fc.assert(
      fc.property(fc.constantFrom(p, composite, composite * composite), exponent, exponent, (m, base, e) => {
        expect(powModulo(base % m, e, m)).toBe(powBySquaring(base % m, e, m));
      }),
      { numRuns: 20 },
    );
  });

  const degenerate = [0n, 1n, 2n, composite - 2n, composite - 1n];

  test.each(degenerate)("is right for the base %i, which OpenSSL may refuse", (base) => {
    for (const exponent of [0n, 1n, 2n, 3n, composite]) {
      expect(powModulo(base, exponent, composite)).toBe(powBySquaring(base, exponent, composite));
    }
  });

  test("is right where the result is 1 or -1, which OpenSSL refuses as weak secrets", () => {
    expect(powModulo(2n, p - 1n, p)).toBe(1n);
    const nonSquare = [2n, 3n, 5n, 7n, 11n, 13n].find((base) => powBySquaring(base, (p - 1n) / 2n, p) !== 1n);
    expect(powModulo(nonSquare ?? 0n, (p - 1n) / 2n, p)).toBe(p - 1n);
  });

  test("is right where base and modulus share a factor", () => {
    expect(powModulo(p, 3n, composite)).toBe(p ** 3n % composite);
    expect(powModulo(p, 2n, p * p)).toBe(0n);
  });

  test.each([3n, 5n, 255n, (1n << 127n) - 1n, (1n << 511n) + 1n])(
    "is right for the modulus %i, too small for OpenSSL",
    (modulus) => {
      expect(powModulo(2n, 1000n, modulus)).toBe((1n << 1000n) % modulus);
    },
  );

  test("keeps moduli apart when many alternate", () => {
    const moduli = [...INSECURE_BLUM_PRIMES, ...INSECURE_SAFE_PRIMES].flatMap((m) => [m, m * p, m * q]);
    expect(moduli.length).toBeGreaterThan(96); // more than the engines that are kept
    for (const modulus of [...moduli, ...moduli]) {
      expect(powModulo(3n, 65_537n, modulus)).toBe(powBySquaring(3n, 65_537n, modulus));
    }
  });
});

describe("primality", () => {
  test.each([2n, 3n, 65_537n, (1n << 127n) - 1n, p])("%i is prime", (candidate) => {
    expect(isProbablePrime(candidate)).toBe(true);
  });

  test.each([-7n, 0n, 1n, 4n, 561n, 41_041n, 3_215_031_751n, composite])("%i is not", (candidate) => {
    expect(isProbablePrime(candidate)).toBe(false);
  });
});

describe("the published test primes", () => {
  const all = [...INSECURE_BLUM_PRIMES, ...INSECURE_SAFE_PRIMES];

  test("are distinct primes of 640 bits, the top two set", () => {
    expect(new Set(all).size).toBe(48);
    expect(all.filter((prime) => prime >> 638n !== 3n)).toEqual([]);
    expect(all.filter((prime) => !isProbablePrime(prime))).toEqual([]);
  });

  test("are Blum primes, and safe ones", () => {
    expect(all.filter((prime) => prime % 4n !== 3n)).toEqual([]);
    expect(INSECURE_SAFE_PRIMES.filter((prime) => !isProbablePrime((prime - 1n) / 2n))).toEqual([]);
  });
});

describe("the primality of a modulus", () => {
  const [safe = 0n] = INSECURE_SAFE_PRIMES;

  test("is what the test for primes says of it and of its half", () => {
    expect([p, safe, composite, p + 2n].map(primalityOfModulus)).toEqual([
      isProbablePrime((p - 1n) / 2n) ? "safe prime" : "prime",
      "safe prime",
      "composite",
      isProbablePrime(p + 2n) ? "prime" : "composite",
    ]);
  });

  test("is told of moduli too short for OpenSSL's powers", () => {
    expect([13n, 23n, 25n].map(primalityOfModulus)).toEqual(["prime", "safe prime", "composite"]);
  });
});
