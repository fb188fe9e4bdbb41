import { expect, it } from "vitest";
import { Narrator } from "./narrator.ts";

const silent = () => new Narrator(() => undefined);

it("a story in which all came out as expected ends well", () => {
  const narrator = silent();
  narrator.equal("status", "Confirmed", "Confirmed");
  expect(narrator.conclude()).toBe(true);
});

it("one difference is enough for a bad end, which repeats it and no other result", () => {
  const lines: string[] = [];
  const narrator = new Narrator((line) => lines.push(line));
  narrator.equal("status", "Confirmed", "Confirmed");
  narrator.equal("sender", "0x1", "0x2");
  lines.length = 0;
  expect(narrator.conclude()).toBe(false);
  expect(lines.map((line) => line.replace(/^ *[\d.]+ s {2}/, ""))).toEqual([
    "",
    "1 of 2 results are as expected.",
    "  NOT as expected: sender: 0x1, expected 0x2",
  ]);
});

it("a story that checked nothing does not end well", () => {
  expect(silent().conclude()).toBe(false);
});
