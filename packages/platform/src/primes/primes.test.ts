import { checkPrimeSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeAuxiliaryPrimes } from "./primes.ts";

const BITS = 128;
const bitLength = (value: bigint): number => value.toString(2).length;

describe("primes for auxiliary generation", () => {
  test("are Blum primes for the Paillier modulus", async () => {
    const { p, q } = (await makeAuxiliaryPrimes({ primeBits: BITS })).reveal();
    expect([p, q].map((prime) => [checkPrimeSync(prime), prime % 4n])).toEqual([
      [true, 3n],
      [true, 3n],
    ]);
  });

  test("are safe primes for the ring-Pedersen modulus", async () => {
    const { pHat, qHat } = (await makeAuxiliaryPrimes({ primeBits: BITS })).reveal();
    expect([pHat, qHat, (pHat - 1n) / 2n, (qHat - 1n) / 2n].map((prime) => checkPrimeSync(prime))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test("give moduli of full length, with all four distinct", async () => {
    const { p, q, pHat, qHat } = (await makeAuxiliaryPrimes({ primeBits: BITS })).reveal();
    expect([p * q, pHat * qHat].map(bitLength)).toEqual([2 * BITS, 2 * BITS]);
    expect(new Set([p, q, pHat, qHat]).size).toBe(4);
  });

  test("come with progress", async () => {
    const reported: number[] = [];
    await makeAuxiliaryPrimes({ primeBits: BITS }, (done) => reported.push(done));
    expect(reported).toEqual([1, 2, 3, 4]);
  });
});
