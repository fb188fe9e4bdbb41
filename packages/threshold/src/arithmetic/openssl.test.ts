import { DiffieHellman } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
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
    expect(powModulo(p * 5n, 12n, p * p)).toBe(0n);
  });

  test("is refused, not computed otherwise, where OpenSSL refuses without a reason that is known", () => {
    const refuse = vi.spyOn(DiffieHellman.prototype, "computeSecret").mockImplementation(() => {
      throw new Error("refused");
    });
    expect(() => powModulo(3n, 65_537n, p)).toThrow("OpenSSL refused");
    refuse.mockRestore();
  });

  test("is refused on a host whose OpenSSL gives other powers: BigInt's are no substitute", async () => {
    const other = vi.spyOn(DiffieHellman.prototype, "computeSecret").mockImplementation(() => "02");
    const fresh = await vi.importActual<typeof import("./openssl.ts")>("./openssl.ts?on-another-host");
    other.mockRestore();
    expect(() => fresh.powModulo(3n, 65_537n, p)).toThrow("use a Node.js without restrictions");
    expect(powModulo(3n, 65_537n, p)).toBe(powBySquaring(3n, 65_537n, p));
  });

  test.each<[string, bigint]>([
    ["even", 1n << 600n],
    ["tiny", 255n],
    ["too small for OpenSSL", (1n << 503n) - 1n],
    ["too large for it", (1n << 10_001n) - 1n],
  ])("is refused for a modulus that is %s: there is no other way", (_, modulus) => {
    expect(() => powModulo(2n, 1000n, modulus)).toThrow(RangeError);
  });

  test("keeps moduli apart when many alternate", () => {
    const moduli = [...INSECURE_BLUM_PRIMES, ...INSECURE_SAFE_PRIMES].flatMap((m) => [m, m * p, m * q]);
    expect(moduli.length).toBeGreaterThan(96); // more than the cached engines
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

  test("reports moduli too short for OpenSSL's powers", () => {
    expect([13n, 23n, 25n].map(primalityOfModulus)).toEqual(["prime", "safe prime", "composite"]);
  });
});
