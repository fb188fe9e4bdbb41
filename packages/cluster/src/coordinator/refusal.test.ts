import { type ErrorCode, problem } from "@conclave/custody";
import { describe, expect, test } from "vitest";
import { endsRequest, whyRefused } from "./refusal.ts";

/** All refusals of a command to sign (cluster/src/signer/signing, and the readers of the families). */
const ENDING: readonly ErrorCode[] = [
  "AuthorisationInvalid",
  "TransactionMismatch",
  "TransactionUnreadable",
  "TransactionNotExcluding",
  "KeySchemeMismatch",
  "RawDigestRefused",
  "TypedDataInvalid",
];
const PASSING: readonly ErrorCode[] = [
  "SessionExpired",
  "DeadlineTooFar",
  "AuthorisationNotCurrent",
  "DeadlineNotPassed",
  "TooManySessions",
  "AuxiliaryMissing",
  "SignerOlder",
  "SessionReused",
  "KeyUnknown",
  "QuorumInvalid",
  "InvalidBody",
  "PresignatureUnknown",
  "PresignatureMismatch",
  "PresignatureSpent",
  "PresignatureReused",
  "PeerFault",
  "Internal",
];

test.each(ENDING)("INV-3 %s is of what was authorised: it ends the request", (code) => {
  expect(endsRequest(code)).toBe(true);
});
test.each(PASSING)("INV-5 %s passes: the request is tried again", (code) => {
  expect(endsRequest(code)).toBe(false);
});

describe("of five signers, three of whom are needed,", () => {
  const whyOf = (...codes: readonly ErrorCode[]) =>
    whyRefused(
      codes.map((code) => problem(code)),
      2,
    )?.code;

  test("two that refuse leave a quorum", () => {
    expect(whyOf("TransactionMismatch", "TransactionMismatch")).toBeUndefined();
  });

  test("three that can never sign it end it, with what most of them say", () => {
    expect(whyOf("TransactionUnreadable", "TransactionMismatch", "TransactionMismatch")).toBe(
      "TransactionMismatch",
    );
  });

  test("INV-5 two liars cannot make final what passes at the third", () => {
    expect(whyOf("KeyUnknown", "TransactionMismatch", "TransactionMismatch")).toBe("KeyUnknown");
    expect(whyOf("TransactionMismatch", "TransactionMismatch", "AuthorisationNotCurrent")).toBe(
      "AuthorisationNotCurrent",
    );
  });
});
