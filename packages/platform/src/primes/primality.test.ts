import { checkPrimeSync, generatePrimeSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isOfKind, mayBePrime } from "./primality.ts";

const BITS = [64, 128, 640] as const; // below 128 bits OpenSSL's own test decides

const P = 0xc12c_b34e_f260_4f53n;
/** Composite, with two prime factors and 3 mod 4, yet 2^((n-1)/2) = (2|n). */
const PSEUDOPRIME = P * (4n * P - 3n);

describe("the quick test for primes", () => {
  test.each([...BITS, 1_536])("says yes to primes of %d bits", async (bits) => {
    const primes = Array.from({ length: 2 }, () =>
      generatePrimeSync(bits, { bigint: true, add: 4n, rem: 3n }),
    );
    for (const prime of primes) expect(await mayBePrime(prime)).toBe(true);
  });

  test.each(BITS)("agrees with OpenSSL's on random numbers of %d bits", async (bits) => {
    const first = generatePrimeSync(bits, { bigint: true, add: 4n, rem: 3n });
    for (let n = first; n < first + 400n; n += 4n) expect(await mayBePrime(n)).toBe(checkPrimeSync(n));
  });

  test("says no to a product of two primes", async () => {
    const [p, q] = [1n, 3n].map((rem) => generatePrimeSync(256, { bigint: true, add: 4n, rem }));
    expect(await mayBePrime((p ?? 0n) * (q ?? 0n))).toBe(false);
  });

  test("answers for numbers that are too long for it", async () => {
    const prime = (1n << 3_217n) - 1n;
    expect(await mayBePrime(prime - 4n)).toBe(false);
  });
});

describe("a candidate", () => {
  test("that only looks prime to base 2 is found out", async () => {
    expect(await mayBePrime(PSEUDOPRIME)).toBe(true);
    expect(await isOfKind("blum", PSEUDOPRIME)).toBe(false);
  });

  test("that is prime is no safe prime when its half is composite", async () => {
    const prime = (1n << 256n) - (1n << 32n) - 977n;
    expect([await isOfKind("blum", prime), await isOfKind("safe", prime)]).toEqual([true, false]);
  });

  test("is a safe prime when OpenSSL made it as one", async () => {
    expect(await isOfKind("safe", generatePrimeSync(160, { bigint: true, safe: true }))).toBe(true);
  });
});
