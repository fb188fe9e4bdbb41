import { expect, it } from "vitest";
import { z } from "zod";
import { invalidInput } from "./invalid-input.ts";

const schema = z.strictObject({ to: z.string() });
const issuesOf = (body: unknown) =>
  invalidInput("InvalidBody", schema.safeParse(body).error?.issues ?? []).details["issues"];

it("says of a member of client libraries why it is not taken", () => {
  expect(issuesOf({ to: "somebody", feeSponsorId: "fs-1" })).toEqual([
    {
      path: "feeSponsorId",
      message:
        "is not taken: each wallet pays its own fees, and signers sign nothing that another account pays for",
    },
  ]);
});

it("names what nobody knows, beside it", () => {
  expect(issuesOf({ to: "somebody", travelRule: {}, color: "red" })).toEqual([
    { path: "travelRule", message: "is not taken: its messages go through an outside vendor" },
    { path: "", message: 'Unrecognized keys: "travelRule", "color"' },
  ]);
});
