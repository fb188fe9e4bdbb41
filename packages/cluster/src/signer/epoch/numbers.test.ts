import { expect, test } from "vitest";
import { PENDING_AUXILIARY_MAX, PENDING_EPOCHS_MAX } from "../limits.ts";
import { whyNotMake } from "./numbers.ts";

test.each([
  ["shares of a key", PENDING_EPOCHS_MAX],
  ["auxiliary information", PENDING_AUXILIARY_MAX],
])("as many failed attempts at %s as a signer keeps, and no more, can wait", (_, most) => {
  const pending = Array.from({ length: most }, (__, at) => at + 2);
  const next = most + 2;
  expect(whyNotMake(next, 1, pending.slice(1), most)).toBeUndefined();
  expect(whyNotMake(next, 1, pending, most)).toMatchObject({ code: "EpochsPending" });
});
