import { expect, it } from "vitest";
import { table } from "./table.ts";

it("a table is as wide as its widest cells", () => {
  expect(table(["a", "b"], [["longer", "x"]])).toBe("  a       b\n  ──────  ─\n  longer  x");
});
