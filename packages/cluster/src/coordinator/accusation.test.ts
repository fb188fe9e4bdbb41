import type { Envelope, Fault, PartyIndex } from "@conclave/threshold";
import { insecurePartySecrets, signEnvelope, testParties, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { rosterOf } from "../testing/fixtures.ts";
import { isGrounded } from "./accusation.ts";

const [reporter, accused, bystander] = [testParty(1), testParty(2), testParty(3)];
const parties = testParties(3);
const roster = rosterOf(5);

/** A broadcast that says it is of one party, signed with the key of another or the same. */
const said = (from: PartyIndex, signer = from): Envelope => {
  const header = { session: new Uint8Array(32).fill(1), round: 1, kind: 1, from, to: 0 };
  return signEnvelope(header, new Uint8Array(8), insecurePartySecrets(signer).identity);
};

const blamed = (evidence: Fault["evidence"], culprit = accused): boolean =>
  isGrounded(roster, parties, { culprit, check: "test", evidence });

describe("INV-7 an accusation is taken seriously", () => {
  test("when it shows what the accused signed, beside whatever else", () => {
    expect(blamed([said(accused)])).toBe(true);
    expect(blamed([said(bystander), said(reporter), said(accused)])).toBe(true);
  });

  test("not without evidence", () => {
    expect(blamed([])).toBe(false);
  });

  test("not with any evidence: what others signed says nothing of the accused", () => {
    expect(blamed([said(bystander)])).toBe(false);
    expect(blamed([said(reporter), said(bystander)])).toBe(false);
  });

  test("not when the reporter signed in the name of the accused", () => {
    expect(blamed([said(accused, reporter)])).toBe(false);
  });

  test("not when the accused signed in the name of another", () => {
    expect(blamed([said(bystander, accused)])).toBe(false);
  });

  test("not of a signer that is not of the session, or not on the roster", () => {
    expect(blamed([said(testParty(4))], testParty(4))).toBe(false);
    const stranger = testParty(9);
    const everybody = [...parties, stranger];
    expect(
      isGrounded(roster, everybody, { culprit: stranger, check: "test", evidence: [said(stranger)] }),
    ).toBe(false);
  });
});
