import { EXCLUSION_BYTES_MAX } from "@conclave/custody";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excludes, exclusionOf, exclusionOfNonce } from "./exclusion.ts";

const chain = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n });
const nonce = fc.bigInt({ min: 0n, max: 2n ** 53n });

describe("the exclusion of an EVM transaction", () => {
  it("INV-4 is what has the same account nonce on the same chain, and nothing else", () => {
    fc.assert(
      fc.property(chain, chain, nonce, nonce, (chainA, chainB, nonceA, nonceB) => {
        const isSame = chainA === chainB && nonceA === nonceB;
        return (
          excludes(exclusionOf(chainA, nonceA), exclusionOf(chainB, nonceB)) === isSame &&
          excludes(exclusionOf(chainA, nonceA), exclusionOf(chainA, nonceA))
        );
      }),
    );
  });

  it("INV-4 of a record of version 0.1 is what has its nonce", () => {
    fc.assert(
      fc.property(chain, nonce, nonce, (chainId, before, now) => {
        return excludes(exclusionOfNonce(before), exclusionOf(chainId, now)) === (before === now);
      }),
    );
  });

  it("is never derived from bytes that no reader wrote, nor for a transaction whose chain is not known", () => {
    expect(excludes(exclusionOf(1n, 7n), exclusionOfNonce(7n))).toBe(false);
    expect(excludes(exclusionOfNonce(7n), exclusionOfNonce(7n))).toBe(false);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        const isOurs = bytes[0] === 1 && bytes.length === 41;
        return (
          isOurs ||
          ((!excludes(bytes, exclusionOf(1n, 7n)) || bytes[0] === 0) && !excludes(exclusionOf(1n, 7n), bytes))
        );
      }),
    );
    expect(excludes(new Uint8Array(), new Uint8Array())).toBe(false);
  });

  it("fits what a signer keeps", () => {
    expect(exclusionOf(2n ** 256n - 1n, 2n ** 64n - 1n).length).toBeLessThan(EXCLUSION_BYTES_MAX);
  });
});
