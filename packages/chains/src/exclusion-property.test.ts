import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exclusionOf } from "./evm/exclusion.ts";
import { EVM_FAMILY } from "./evm/family.ts";
import { type ChainModel, excludesSoundly } from "./testing/exclusion-property.ts";
import { TOY_FAMILY } from "./testing/toy/index.ts";

interface EvmModelTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly payload: number;
}

/** One transaction for each chain and account nonce; the very same bytes are the same transaction. */
const EVM_MODEL: ChainModel<EvmModelTransaction> = {
  transactions: fc.record({
    chainId: fc.bigInt({ min: 1n, max: 2n }),
    nonce: fc.bigInt({ min: 0n, max: 2n }),
    payload: fc.nat(2),
  }),
  exclusionOf: ({ chainId, nonce }) => exclusionOf(chainId, nonce),
  deadlineMs: () => undefined,
  canBothLand: (first, second) => first.chainId !== second.chainId || first.nonce !== second.nonce,
};

interface ToyModelTransaction {
  readonly deadlineMs: number;
  readonly payload: number;
}

/** Whatever is signed may land in its window, beside anything else. */
const TOY_MODEL: ChainModel<ToyModelTransaction> = {
  transactions: fc.record({ deadlineMs: fc.integer({ min: 1, max: 7_200_000 }), payload: fc.nat(2) }),
  exclusionOf: ({ payload }) => Uint8Array.of(payload),
  deadlineMs: ({ deadlineMs }) => deadlineMs,
  canBothLand: () => true,
};

describe("INV-4 what may follow a transaction", () => {
  it("is never a second one that could land beside it: EVM", () => {
    excludesSoundly(EVM_FAMILY.excludes, EVM_MODEL);
  });

  it("is never a second one that could land beside it: a chain with validity windows", () => {
    excludesSoundly(TOY_FAMILY.excludes, TOY_MODEL);
  });

  it("would be found out, were a family's rule too lax", () => {
    expect(() => excludesSoundly(() => true, EVM_MODEL)).toThrow("Property failed");
    expect(() => excludesSoundly(() => true, TOY_MODEL)).toThrow("Property failed");
  });
});
