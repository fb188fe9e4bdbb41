import { signEd25519 } from "@conclave/threshold";
import { insecurePartySecrets, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { rosterOf } from "../testing/fixtures.ts";
import { type EpochWaiver, waiverBytes, waiversOf } from "./epoch-waiver.ts";

const SIZE = 3;
const roster = rosterOf(SIZE);
const ALL = [...roster.keys()];
const unwanted = { subject: "key-1", session: "ab".repeat(32) };
const waiverBy = (signer: number, by = signer): EpochWaiver => {
  const bytes = waiverBytes(roster, testParty(by), unwanted);
  return { signer, signature: signEd25519(bytes, insecurePartySecrets(testParty(by)).identity) };
};

test("waivers count once for each signer that signed its own", () => {
  expect(waiversOf(roster, ALL, unwanted, [waiverBy(1), waiverBy(2)])).toBe(2);
  expect(waiversOf(roster, ALL, unwanted, [waiverBy(1), waiverBy(1)])).toBe(1);
  expect(waiversOf(roster, ALL, { ...unwanted, subject: "key-2" }, [waiverBy(1)])).toBe(0);
  expect(waiversOf(roster, ALL, { ...unwanted, session: "cd".repeat(32) }, [waiverBy(1)])).toBe(0);
});

test("a waiver that names another signer than the one who signed it counts for neither", () => {
  expect(waiversOf(roster, ALL, unwanted, [waiverBy(2, 1)])).toBe(0);
});

test("the waiver of a signer that the attempt gave nothing does not count", () => {
  expect(waiversOf(roster, [testParty(1)], unwanted, [waiverBy(1), waiverBy(2)])).toBe(1);
});

test("P13 no more waivers are looked at than there are signers", () => {
  const junk = Array.from({ length: SIZE }, (): EpochWaiver => ({ ...waiverBy(1), signer: 9 }));
  expect(waiversOf(roster, ALL, unwanted, [...junk, waiverBy(1)])).toBe(0);
});
