import { organisationIdSchema } from "@conclave/custody";
import { processWorld } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import type { TriedRequest } from "../client/client-process.ts";
import { heardOfOthers, sawOthers } from "./inv-11.ts";

const [acme, beta] = [
  processWorld.freshId(organisationIdSchema, "or"),
  processWorld.freshId(organisationIdSchema, "or"),
];
const owners = [
  { orgId: acme, ids: ["wa-acme", "xfr-acme"] },
  { orgId: beta, ids: ["wa-beta"] },
];

describe("an organisation", () => {
  it("hears of its own things, and of ids that it named itself", () => {
    const own = { orgId: acme, asked: "transfer-1", text: "xfr-acme of wa-acme" };
    const named = { orgId: beta, asked: "a wallet wa-acme", text: "no wallet wa-acme" };
    expect(heardOfOthers([own, named], owners)).toEqual([]);
  });

  it("INV-11 hears of nothing of another one", () => {
    const leaky = { orgId: beta, asked: "lists wa-acme", text: "wa-beta, wa-acme, xfr-acme" };
    expect(heardOfOthers([leaky], owners)).toEqual([
      { invariant: "INV-11", words: `${beta} asked for lists wa-acme, and heard of xfr-acme of another` },
    ]);
    expect(heardOfOthers([{ ...leaky, orgId: acme }], owners)).toHaveLength(1);
  });

  const tried = (...answers: TriedRequest["answers"]): TriedRequest => ({
    name: "a wallet",
    isForeign: true,
    orgId: beta,
    answers,
  });

  it("is answered that there are no things of others", () => {
    expect(sawOthers(tried("ServiceUnavailable", "WalletNotFound"))).toEqual([]);
    expect(sawOthers({ ...tried("AmountInvalid"), isForeign: false })).toEqual([]);
  });

  it.each(["accepted", "KeyDelegated", "ExternalIdConflict"] as const)(
    "INV-11 is not answered otherwise when it asks for such a thing: %s",
    (answer) => {
      expect(sawOthers(tried(answer))).toEqual([
        { invariant: "INV-11", words: `${beta} asks for a wallet of another organisation: ${answer}` },
      ]);
    },
  );
});
