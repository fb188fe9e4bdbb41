import { expect, it } from "vitest";
import { mayBeStellarConsent } from "./consent.ts";
import { STELLAR_RULES } from "./rules.ts";

it("INV-3 any 32 bytes may be what Stellar signs of a transaction, and no others", () => {
  for (const [length, may] of [
    [0, false],
    [31, false],
    [32, true],
    [33, false],
    [64, false],
  ] as const) {
    const message = new Uint8Array(length).fill(7);
    expect([mayBeStellarConsent(message), STELLAR_RULES.takesForConsent(message)]).toEqual([may, false]);
  }
});
