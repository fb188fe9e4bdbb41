import { expect, it } from "vitest";
import { SubmittedMemory } from "./submitted-memory.ts";

it("remembers what was taken for fifteen seconds, and of very many the last ones", () => {
  let nowMs = 0;
  const memory = new SubmittedMemory(() => nowMs);
  memory.remember("first");
  nowMs = 14_999;
  expect([memory.isFresh("first"), memory.isFresh("other")]).toEqual([true, false]);
  nowMs = 15_000;
  expect(memory.isFresh("first")).toBe(false);
  memory.remember("first");
  memory.remember("second");
  memory.remember("first");
  for (let at = 0; at < 9_999; at += 1) memory.remember(String(at));
  expect([memory.isFresh("first"), memory.isFresh("second"), memory.isFresh("9998")]).toEqual([
    true,
    false,
    true,
  ]);
});
