import { expect, it } from "vitest";
import { SubmittedMemory } from "./submitted-memory.ts";

it("remembers what was taken for fifteen seconds, and of very many the last ones", () => {
  let nowMs = 0;
  const memory = new SubmittedMemory(() => nowMs);
  memory.remember("first", 5n);
  nowMs = 14_999;
  expect([memory.deadlineOf("first"), memory.deadlineOf("other")]).toEqual([5n, undefined]);
  nowMs = 15_000;
  expect(memory.deadlineOf("first")).toBeUndefined();
  memory.remember("first", 6n);
  memory.remember("second", 7n);
  memory.remember("first", 8n);
  for (let at = 0; at < 9_999; at += 1) memory.remember(String(at), 9n);
  expect([memory.deadlineOf("first"), memory.deadlineOf("second"), memory.deadlineOf("9998")]).toEqual([
    8n,
    undefined,
    9n,
  ]);
});
