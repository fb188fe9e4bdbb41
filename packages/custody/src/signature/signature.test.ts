import { describe, expect, it } from "vitest";
import { keyIdSchema, organisationIdSchema, signatureIdSchema, userIdSchema } from "../identifiers.ts";
import type { SignatureEvent, SignatureRequest } from "./signature.ts";
import { decideSignature, signatureRequested } from "./signature-decision.ts";
import { signatureView } from "./signature-view.ts";

const date = "2026-01-02T03:04:05.678Z";
const body = "00000-00000-0000000000000000";
const authorisation = { payload: Uint8Array.of(1), signature: new Uint8Array(64) };
const policyDecision = { outcome: "Allowed" as const, policies: [], date };
const waiting: SignatureRequest = {
  id: signatureIdSchema.parse(`sig-${body}`),
  orgId: organisationIdSchema.parse(`or-${body}`),
  keyId: keyIdSchema.parse(`key-${body}`),
  walletId: undefined,
  network: undefined,
  requester: { userId: userIdSchema.parse(`us-${body}`) },
  requestBody: { kind: "Message", message: "00" },
  externalId: undefined,
  status: "Pending",
  reason: undefined,
  approvalId: "ap-1",
  policyDecision: undefined,
  authorisation: undefined,
  signature: undefined,
  signedData: undefined,
  dateRequested: date,
  datePolicyResolved: undefined,
  dateSigned: undefined,
};
const accepted: SignatureRequest = { ...waiting, authorisation, policyDecision, datePolicyResolved: date };

const authorised: SignatureEvent = { kind: "Authorised", authorisation, policyDecision, date };
const rejected: SignatureEvent = { kind: "Rejected", date, reason: "denied" };
const begun: SignatureEvent = { kind: "Begun" };
const away: SignatureEvent = { kind: "Waiting", reason: "waiting for signers" };
const value = { r: `0x${"01".repeat(32)}`, s: `0x${"02".repeat(32)}`, encoded: `0x${"0102".repeat(32)}` };
const signed: SignatureEvent = { kind: "Signed", signature: value, signedData: undefined, date };
const failed: SignatureEvent = { kind: "Failed", date, reason: "refused" };

/** A request after these events, the emitted events, and the refused ones. */
const after = (start: SignatureRequest, events: readonly SignatureEvent[]) => {
  let request = start;
  const emitted: string[] = [];
  const refused: string[] = [];
  for (const event of events) {
    const decided = decideSignature(request, event);
    if (decided.ok) {
      request = decided.value.signature;
      emitted.push(...decided.value.events.map(({ kind }) => kind));
    } else refused.push(event.kind);
  }
  return { request, emitted, refused };
};

describe("a request for a signature", () => {
  it("goes Pending, Executing, Signed, and forgets what it waited for", () => {
    const { request, emitted, refused } = after(accepted, [begun, away, signed]);
    expect([request.status, request.reason, request.dateSigned, emitted, refused]).toEqual([
      "Signed",
      undefined,
      date,
      ["wallet.signature.signed"],
      [],
    ]);
  });

  it("INV-8 does not begin before the authority has signed, and then only once", () => {
    expect(after(waiting, [begun]).refused).toEqual(["Begun"]);
    const { request, refused } = after(waiting, [authorised, authorised, rejected, begun]);
    expect([request.status, request.policyDecision, refused]).toEqual([
      "Executing",
      policyDecision,
      ["Authorised", "Rejected"],
    ]);
  });

  it("that is rejected says why, and goes nowhere from there", () => {
    const { request, emitted, refused } = after(waiting, [rejected, authorised, begun, signed, failed]);
    expect([request.status, request.reason, request.datePolicyResolved]).toEqual([
      "Rejected",
      "denied",
      date,
    ]);
    expect([emitted, refused]).toEqual([
      ["wallet.signature.rejected"],
      ["Authorised", "Begun", "Signed", "Failed"],
    ]);
  });

  it("INV-6 has one signature: a second delivery changes nothing, and neither does a late failure", () => {
    const other: SignatureEvent = { ...signed, signature: { ...value, r: value.s } };
    const { request, emitted, refused } = after(accepted, [begun, signed, other, failed]);
    expect([request.signature, emitted, refused]).toEqual([
      value,
      ["wallet.signature.signed"],
      ["Signed", "Failed"],
    ]);
  });

  it("is reported as the API shows it", () => {
    expect(signatureRequested(accepted)).toMatchObject({
      kind: "wallet.signature.requested",
      entityId: accepted.id,
      data: { signatureRequest: signatureView(accepted) },
    });
  });
});

describe("a signature as the API shows it", () => {
  it("leaves out what is not known, and never shows what the authority signed", () => {
    expect(Object.keys(signatureView(waiting)).sort()).toEqual(
      ["approvalId", "dateRequested", "id", "keyId", "requestBody", "requester", "status"].sort(),
    );
  });

  it("shows the one signature in both places", () => {
    const { request } = after(accepted, [begun, { ...signed, signedData: "0x02" }]);
    expect(signatureView(request)).toMatchObject({
      signature: value,
      signatures: [value],
      signedData: "0x02",
    });
  });
});
