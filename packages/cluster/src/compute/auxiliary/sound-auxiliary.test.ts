import { auxiliaryInfoCodec, encode } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import { insecureAuxiliaryInfo, testParties } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { isSoundAuxiliary } from "./sound-auxiliary.ts";

const parties = testParties(2);
const [made = expect.fail("party 1 has it"), others = expect.fail("party 2 has it")] = [
  ...insecureAuxiliaryInfo(parties, 2).values(),
];
const written = encode(auxiliaryInfoCodec(INSECURE_TEST_PARAMETERS), made);

test("a decoded share is the one that was encoded", () => {
  expect(isSoundAuxiliary(written, made)).toBe(true);
});

test("no bit of it is another, wherever", () => {
  const places = [...written.keys()].filter((at) => at % 7 === 0);
  const kept = places.filter((at) => {
    const flipped = written.with(at, (written[at] ?? 0) ^ (1 << (at % 8)));
    return isSoundAuxiliary(flipped, made);
  });
  expect(kept).toEqual([]);
});

test("that of another signer, epoch or run is not sound", () => {
  const encoded = (info: typeof made) => encode(auxiliaryInfoCodec(INSECURE_TEST_PARAMETERS), info);
  const peers = new Map([...made.peers].slice(0, 1));
  expect(isSoundAuxiliary(encoded(others), made)).toBe(false);
  expect(isSoundAuxiliary(encoded({ ...made, epoch: 3 }), made)).toBe(false);
  expect(isSoundAuxiliary(encoded({ ...made, peers, parties: parties.slice(0, 1) }), made)).toBe(false);
});
