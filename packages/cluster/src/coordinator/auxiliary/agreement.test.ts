import { testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { agreementOf } from "./agreement.ts";

/** The reports of signers 1, 2 and so on: an epoch, and a number that stands for the digest. */
const said = (...each: readonly (readonly [number, number])[]) =>
  new Map(
    each.map(([epoch, fill], at) => [
      testParty(at + 1),
      { epoch, digest: new Uint8Array(32).fill(fill), pending: [] },
    ]),
  );

test("information that t signers use alike is agreed upon, and a signer that says otherwise is named", () => {
  expect(agreementOf(said([2, 7], [2, 7], [2, 7], [2, 7], [2, 7]), 3)).toEqual({ epoch: 2, apart: [] });
  expect(agreementOf(said([9, 1], [2, 7], [2, 8], [2, 7], [2, 7]), 3)).toEqual({ epoch: 2, apart: [1, 3] });
});

test("fewer than t agree on nothing, and nothing is no agreement", () => {
  expect(agreementOf(said([2, 7], [2, 7], [1, 7], [1, 7], [0, 0]), 3)).toBeUndefined();
  expect(agreementOf(said([0, 0], [0, 0], [0, 0]), 2)).toBeUndefined();
});

test("of two that t signers use, the later counts", () => {
  expect(agreementOf(said([1, 7], [1, 7], [2, 7], [2, 7]), 2)).toEqual({ epoch: 2, apart: [1, 2] });
});
