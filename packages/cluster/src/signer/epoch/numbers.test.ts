import { expect, test } from "vitest";
import { PENDING_EPOCHS_MAX } from "../limits.ts";
import { whyNotMake } from "./numbers.ts";

test("as many failed attempts at shares of a key as a signer keeps, and no more, can wait", () => {
  const most = PENDING_EPOCHS_MAX;
  const pending = Array.from({ length: most }, (__, at) => at + 2);
  const next = most + 2;
  expect(whyNotMake(next, 1, pending.slice(1), most)).toBeUndefined();
  expect(whyNotMake(next, 1, pending, most)).toMatchObject({ code: "EpochsPending" });
});

test.each([
  ["the active one", 5, 5, []],
  ["below the active one", 3, 5, []],
  ["one that waits", 7, 5, [7]],
  ["no number", 5.5, 5, []],
])("an epoch that is %s is not made", (_, to, active, pending) => {
  expect(whyNotMake(to, active, pending, PENDING_EPOCHS_MAX)).toMatchObject({ code: "EpochRefused" });
});
