import { fail, ok, type Result } from "@conclave/custody";
import { expect, test } from "vitest";
import { answerOf } from "./answer-of.ts";

/** Gives these answers in order. */
const asked = (...answers: readonly Result<number>[]) => {
  let at = 0;
  return {
    ask: async () => answers[at++] ?? expect.fail("it is asked no more"),
    count: () => at,
  };
};

test("a signer that does not answer for a moment is asked again", async () => {
  const { ask, count } = asked(fail("ServiceUnavailable"), fail("ServiceUnavailable"), ok(7));
  expect(await answerOf("signer-2", ask)).toBe(7);
  expect(count()).toBe(3);
});

test("a signer that refuses is asked once, and named", async () => {
  const { ask, count } = asked(fail("KeyNotFound", {}, "There is no such key."), ok(7));
  await expect(answerOf("signer-2", ask)).rejects.toThrow("signer-2: There is no such key.");
  expect(count()).toBe(1);
});
