import { describe, expect, it } from "vitest";
import { SaidTexts } from "./said-texts.ts";

const LONG = "a text of more than thirty characters";

describe("texts that were said", () => {
  it("INV-10 are kept as texts, as bytes and in lists", () => {
    const said = new SaidTexts();
    said.add("a log", LONG);
    said.add("a statement", [1, undefined, [new TextEncoder().encode(`_${LONG}`).subarray(1)]]);
    expect(said.all).toEqual([
      { where: "a log", text: LONG },
      { where: "a statement", text: LONG },
    ]);
  });

  it("are left out where they are too short for a secret", () => {
    const said = new SaidTexts();
    said.add("a log", LONG.slice(0, 30));
    expect(said.all).toEqual([]);
  });
});
