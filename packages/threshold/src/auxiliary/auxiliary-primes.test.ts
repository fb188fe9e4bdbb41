import { describe, expect, test } from "vitest";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { PRODUCTION_PARAMETERS } from "../parameters.ts";
import { insecureAuxiliaryPrimes } from "../testing/insecure-auxiliary.ts";
import { type AuxiliaryPrimes, requireAuxiliaryPrimes } from "./auxiliary-primes.ts";

const primes = insecureAuxiliaryPrimes(1);
const other = insecureAuxiliaryPrimes(2);

const problemOf = (changed: Partial<AuxiliaryPrimes>): string => {
  try {
    requireAuxiliaryPrimes(parameters, { ...primes, ...changed });
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
};

describe("the primes of auxiliary generation", () => {
  test("are accepted when p and q are Blum primes and p^ and q^ safe", () => {
    expect(problemOf({})).toBe("");
  });

  test("are accepted when p and q are safe too: every safe prime is a Blum prime", () => {
    expect(problemOf({ p: other.pHat, q: other.qHat })).toBe("");
  });

  test.each<[string, Partial<AuxiliaryPrimes>, string]>([
    ["p = q", { q: primes.p }, "distinct"],
    ["p^ = q^", { qHat: primes.pHat }, "distinct"],
    ["p = p^", { p: primes.pHat }, "distinct"],
    ["a negative prime", { p: -primes.p }, "positive"],
    ["0", { q: 0n }, "positive"],
    ["a short prime", { p: 3n }, "640 bits"],
    ["a long prime", { qHat: primes.qHat << 1n }, "640 bits"],
    ["a composite p", { p: primes.p + 4n }, "4k + 3"],
    ["an even q", { q: primes.q + 1n }, "4k + 3"],
    ["a Blum prime that is not safe as p^", { pHat: other.p }, "safe primes"],
    ["a composite q^", { qHat: primes.qHat + 4n }, "safe primes"],
  ])("are refused: %s", (_, changed, problem) => {
    expect(problemOf(changed)).toContain(problem);
  });

  test("of reduced size are refused by the production level", () => {
    expect(() => requireAuxiliaryPrimes(PRODUCTION_PARAMETERS, primes)).toThrow("1536 bits");
  });

  test("INV-10 are not named by the message that refuses them", () => {
    expect(problemOf({ p: primes.p + 4n })).not.toMatch(/[0-9a-f]{8}/);
  });
});
