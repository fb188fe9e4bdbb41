import { expect, it } from "vitest";
import { table } from "./table.ts";

it("columns of a table are as wide as their widest cells", () => {
  expect(table(["a", "b"], [["longer", "x"]])).toBe("  a       b\n  ──────  ─\n  longer  x");
});
