import { type Attempt, attemptSession, type Evidence, type PartyIndex } from "@conclave/threshold";
import { insecurePartySecrets, signEnvelope, testParties, testParty } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { sessionKey } from "../control/session-key.ts";
import { emptyEvidence } from "../testing/empty-evidence.ts";
import { rosterOf } from "../testing/fixtures.ts";
import { type BegunSession, judgeAccusation } from "./accusation.ts";

const [reporter, accused, bystander] = [testParty(1), testParty(2), testParty(3)];
const parties = testParties(3);
const roster = rosterOf(5);
const attempt: Attempt = {
  given: new Uint8Array(32).fill(7),
  expiresAtMs: 60_000,
  protocol: "presigning",
  level: "INSECURE-TEST",
  scheme: "CGGMP24",
  keyId: "key-1",
  epoch: 1,
  parties,
  threshold: 3,
  total: 5,
  agreed: [],
};
const begun: BegunSession = {
  key: sessionKey(attempt.given) ?? expect.fail("32 bytes"),
  expiresAtMs: attempt.expiresAtMs,
  parties,
  protocols: ["presigning"],
  keyId: attempt.keyId,
};
const sessionOf = (of: Attempt): Uint8Array => attemptSession(of, roster) ?? expect.fail("on the roster");

/** A broadcast in the name of one party, signed with its own or another party's key. */
const said = (text: number, from: PartyIndex, session = sessionOf(attempt), signer = from) =>
  signEnvelope(
    { session, round: 1, kind: 1, from, to: 0 },
    new Uint8Array(8).fill(text),
    insecurePartySecrets(signer).identity,
  );
const twice = (from: PartyIndex, session?: Uint8Array, signer = from) => [
  said(1, from, session, signer),
  said(2, from, session, signer),
];

const evidence = (changed: Partial<Evidence>): Evidence => ({
  ...emptyEvidence(accused),
  attempt,
  check: "round 1: two different messages for one place",
  messages: twice(accused),
  ...changed,
});
const found = (changed: Partial<Evidence>, by = reporter) =>
  judgeAccusation(roster, begun, by, evidence(changed)).kind;

describe("INV-7 an accusation blames", () => {
  test("when the accused signed what proves it in this very session", () => {
    expect(found({})).toBe("proven");
  });

  test("not with any evidence: what others signed says nothing of the accused", () => {
    expect(found({ messages: [] })).toBe("groundless");
    expect(found({ messages: [said(1, accused)] })).toBe("groundless");
    expect(found({ messages: twice(bystander) })).toBe("groundless");
    expect(found({ messages: twice(accused), check: "round 2: two different messages for one place" })).toBe(
      "groundless",
    );
  });

  test("not when the reporter signed in the name of the accused", () => {
    expect(found({ messages: twice(accused, sessionOf(attempt), reporter) })).toBe("groundless");
  });

  test.each<readonly [string, Partial<Attempt>]>([
    ["was given another id", { given: new Uint8Array(32).fill(8) }],
    ["had another deadline", { expiresAtMs: 60_001 }],
    ["was among fewer parties", { parties: [reporter, accused] }],
    ["was among more parties", { parties: testParties(4) }],
    ["was among other parties", { parties: [reporter, accused, testParty(4)] }],
    ["was of another protocol", { protocol: "auxiliary" }],
    ["was of another key", { keyId: "key-2" }],
  ])("not with what the accused signed in a session that %s", (_, changed) => {
    const other = { ...attempt, ...changed };
    expect(found({ attempt: other, messages: twice(accused, sessionOf(other)) })).toBe("groundless");
    expect(found({ messages: twice(accused, sessionOf(other)) })).toBe("groundless");
  });

  test("not a signer that is not of the session", () => {
    const stranger = testParty(4);
    expect(found({ accused: stranger, messages: twice(stranger) })).toBe("groundless");
  });

  test("nobody when only the receiver of a sealed message can tell", () => {
    const check = "round 2: sealed message does not open";
    expect(found({ check })).toBe("between-two");
    expect(found({ check }, accused)).toBe("groundless");
    expect(found({ check, accused: testParty(4) })).toBe("groundless");
  });
});

test("the run ids of a session that a coordinator began bind its session id and deadline", () => {
  expect(begun.key).toBe(bytesToHex(attempt.given));
});
