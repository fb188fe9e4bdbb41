import { expect, it } from "vitest";
import { Narrator } from "./narrator.ts";

const silent = () => new Narrator(() => undefined);

it("a story in which all came out as expected ends well", () => {
  const narrator = silent();
  narrator.equal("status", "Confirmed", "Confirmed");
  expect(narrator.conclude()).toBe(true);
});

it("one difference is enough for a bad end", () => {
  const narrator = silent();
  narrator.equal("status", "Confirmed", "Confirmed");
  narrator.equal("sender", "0x1", "0x2");
  expect(narrator.conclude()).toBe(false);
});

it("a story that checked nothing does not end well", () => {
  expect(silent().conclude()).toBe(false);
});
