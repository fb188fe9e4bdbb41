import { organisationIdSchema } from "@conclave/custody";
import { processWorld } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import type { TriedRequest } from "../client/client-process.ts";
import { badlyRefused, isSettled, strayRows } from "./inv-9.ts";

const orgId = processWorld.freshId(organisationIdSchema, "or");
const tried = (...answers: TriedRequest["answers"]): TriedRequest => ({
  name: "a payment of nothing",
  isForeign: false,
  orgId,
  answers,
});
const violated = (request: TriedRequest): readonly string[] =>
  badlyRefused(request).map(({ invariant, words }) => `${invariant} ${words}`);

describe("a bad request", () => {
  it("may be refused, also after outages", () => {
    expect(violated(tried("AmountInvalid"))).toEqual([]);
    expect(violated(tried("ServiceUnavailable", "TooManyAtOnce", "AmountInvalid"))).toEqual([]);
  });

  it("INV-9 is not accepted", () => {
    expect(violated(tried("accepted"))).toEqual(["INV-9 a payment of nothing is accepted"]);
    expect(violated(tried("AmountInvalid", "accepted"))).toHaveLength(1);
  });

  it("INV-9 gets no 5xx but 503", () => {
    expect(violated(tried("Internal", "AmountInvalid"))).toEqual([
      "INV-9 a payment of nothing is answered by Internal",
    ]);
  });

  it("INV-9 is refused in the end", () => {
    expect(violated(tried())).toHaveLength(1);
    expect(violated(tried("ServiceUnavailable", "TooManyAtOnce"))).toEqual([
      "INV-9 a payment of nothing is not refused, after 2 answers",
    ]);
    expect([isSettled(tried("ServiceUnavailable")), isSettled(tried("WalletNotFound"))]).toEqual([
      false,
      true,
    ]);
  });

  it("INV-9 leaves no row: each is of a thing that a client was answered", () => {
    const rows = [
      { table: "wallets", id: "wa-1" },
      { table: "keys", id: "key-1" },
    ];
    expect(strayRows(rows, [{ orgId, ids: ["wa-1", "key-1"] }])).toEqual([]);
    expect(strayRows(rows, [{ orgId, ids: ["wa-1"] }])).toEqual([
      { invariant: "INV-9", words: "keys has a row of key-1, which no accepted request made" },
    ]);
  });
});
