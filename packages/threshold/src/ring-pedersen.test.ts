import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jacobi } from "./arithmetic/integers.ts";
import { powModulo } from "./arithmetic/openssl.ts";
import { commit, commitOwn, ownRingPedersen, powerOwn } from "./ring-pedersen.ts";
import { insecureOwnAuxiliary } from "./testing/insecure-auxiliary.ts";

const own = insecureOwnAuxiliary(1).pedersen;
const { parameters, factors } = own;
const { n, s, t } = parameters;
const exponent = fc.bigInt({ min: -(1n << 1900n), max: 1n << 1900n });
const runs = { numRuns: 15 };

describe("ring-Pedersen commitments", () => {
  test("by the maker, who knows λ and the factors, equal those by anybody", () => {
    fc.assert(
      fc.property(exponent, exponent, (x, r) => {
        expect(commitOwn(own, x, r)).toBe(commit(parameters, x, r));
      }),
      runs,
    );
  });

  test("add up: the product of two commits to the sums", () => {
    fc.assert(
      fc.property(exponent, exponent, exponent, exponent, (x1, r1, x2, r2) => {
        const product = (commit(parameters, x1, r1) * commit(parameters, x2, r2)) % n;
        expect(product).toBe(commit(parameters, x1 + x2, r1 + r2));
      }),
      runs,
    );
  });

  test("to 0 with mask 0 are 1, to 1 are s, masked by 1 are t", () => {
    expect([commit(parameters, 0n, 0n), commit(parameters, 1n, 0n), commit(parameters, 0n, 1n)]).toEqual([
      1n,
      s,
      t,
    ]);
  });

  test("to a negative value are the inverse", () => {
    expect((commit(parameters, -7n, 3n) * commit(parameters, 7n, -3n)) % n).toBe(1n);
  });

  test("powers by the maker equal long ones", () => {
    fc.assert(
      fc.property(exponent, (e) => {
        const magnitude = powModulo(s, e < 0n ? -e : e, n);
        expect(e < 0n ? (powerOwn(own, s, e) * magnitude) % n : powerOwn(own, s, e)).toBe(
          e < 0n ? 1n : magnitude,
        );
      }),
      runs,
    );
  });

  test("throw where a base is no unit: the caller has checked it", () => {
    expect(() => commit({ ...parameters, s: factors.p }, -1n, 0n)).toThrow("checked to be units");
  });
});

describe("parameters made from their secrets", () => {
  test("have s = t^λ in the squares modulo N^", () => {
    const made = ownRingPedersen(factors.p, factors.q, t, 12_345n);
    expect(made.parameters).toEqual({ n, t, s: powModulo(t, 12_345n, n) });
    expect([jacobi(made.parameters.s, factors.p), jacobi(made.parameters.s, factors.q)]).toEqual([1, 1]);
  });
});
