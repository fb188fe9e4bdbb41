import { testParties } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { behindOthers, type EpochsSaid, hearEpoch, pairsInOtherEpochs } from "./key-epochs.ts";

const [
  ONE = expect.fail("there are three"),
  TWO = expect.fail("there are three"),
  THREE = expect.fail("there are three"),
] = testParties(3);
const NOTHING: EpochsSaid = new Map();
const KEYS_MAX = 2;

const said = (...words: readonly (readonly [typeof ONE, string, number])[]): EpochsSaid =>
  words.reduce((all, [signer, keyId, epoch]) => hearEpoch(all, signer, { keyId, epoch }, KEYS_MAX), NOTHING);

test("signers in one epoch of each key are no pairs, though the keys are in different ones", () => {
  const agreed = said([ONE, "key-a", 1], [ONE, "key-b", 7], [TWO, "key-a", 1], [TWO, "key-b", 7]);
  expect([pairsInOtherEpochs(agreed), behindOthers(agreed)]).toEqual([[], []]);
});

test("each two in different epochs of a key are a pair, and a signer that says the earlier one is behind", () => {
  const apart = said([ONE, "key-a", 2], [TWO, "key-a", 2], [THREE, "key-a", 1]);
  expect(pairsInOtherEpochs(apart)).toEqual([
    [ONE, THREE],
    [TWO, THREE],
  ]);
  expect(behindOthers(apart)).toEqual([{ signer: THREE, keyId: "key-a" }]);
});

test("a signer that says another epoch later is held to the first, and one that names many keys is heard of a few", () => {
  const twice = said([ONE, "key-a", 1], [TWO, "key-a", 1], [TWO, "key-a", 2]);
  expect(pairsInOtherEpochs(twice)).toEqual([]);
  expect(said([ONE, "key-a", 1], [ONE, "key-b", 1], [ONE, "key-c", 1]).size).toBe(KEYS_MAX);
});
