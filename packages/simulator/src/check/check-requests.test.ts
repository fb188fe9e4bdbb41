import { type TransferId, transferIdSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { type AnsweredRequest, checkRequests } from "./check-requests.ts";

const ID: TransferId = transferIdSchema.parse("xfr-aaaaa-aaaaa-aaaaaaaaaaaaaaaa");
const OTHER: TransferId = transferIdSchema.parse("xfr-bbbbb-bbbbb-bbbbbbbbbbbbbbbb");
const asked: AnsweredRequest = {
  externalId: "transfer-1",
  attempts: 3,
  ids: new Set([ID]),
  refusal: undefined,
};
const violated = (...changes: readonly Partial<AnsweredRequest>[]): readonly string[] =>
  checkRequests(changes.map((change) => ({ ...asked, ...change }))).map(({ invariant }) => invariant);

describe("a client's record", () => {
  it("has no finding where each request has one transfer of its own, after any number of attempts", () => {
    expect(violated({}, { ids: new Set([OTHER]), attempts: 1 })).toEqual([]);
  });

  it("INV-5 has a finding where a request is never answered, or refused", () => {
    expect(violated({ ids: new Set() })).toEqual(["INV-5"]);
    const refusal = { code: "WalletNotFound", message: "", details: {} } as const;
    expect(violated({ ids: new Set(), refusal }, { refusal })).toEqual(["INV-5", "INV-5"]);
  });

  it("INV-4 has a finding where two attempts of a request became two transfers", () => {
    expect(violated({ ids: new Set([ID, OTHER]) })).toEqual(["INV-4"]);
  });

  it("INV-4 has a finding where two requests have the same transfer", () => {
    expect(violated({}, { externalId: "transfer-2" })).toEqual(["INV-4"]);
  });
});
