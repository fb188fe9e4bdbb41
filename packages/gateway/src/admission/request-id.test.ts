import { organisationIdSchema, transferIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { type AskedFor, requestIdOf } from "./request-id.ts";

const asked: AskedFor = {
  orgId: freshId(organisationIdSchema, "or"),
  signer: "wa-1",
  externalId: "pay-1",
  body: { kind: "Native", amount: "1", externalId: "pay-1" },
};
const idOf = (change: Partial<AskedFor>): string =>
  requestIdOf({ freshId }, transferIdSchema, "xfr", { ...asked, ...change });

describe("INV-4 the id of a request with an externalId", () => {
  it("is the same for the same body, whatever the order of its members", () => {
    const body = { externalId: "pay-1", amount: "1", kind: "Native" };
    expect(idOf({ body })).toBe(idOf({}));
  });

  it("is another one for another body, externalId, wallet or organisation", () => {
    const ids = [
      idOf({}),
      idOf({ externalId: "pay-2", body: { ...asked.body, externalId: "pay-2" } }),
      idOf({ body: { ...asked.body, amount: "2" } }),
      idOf({ signer: "wa-2" }),
      idOf({ orgId: freshId(organisationIdSchema, "or") }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is a fresh one without an externalId", () => {
    const body = { kind: "Native", amount: "1" };
    expect(idOf({ externalId: undefined, body })).not.toBe(idOf({ externalId: undefined, body }));
  });
});
