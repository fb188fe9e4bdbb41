import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FAULT_POINTS } from "@conclave/platform/fault-points";
import { expect, it } from "vitest";
import { ROOT } from "./source-files.ts";

const DOCUMENT = readFileSync(join(ROOT, "docs/chaos.md"), "utf8");

it("docs/chaos.md has every named point, with its words", () => {
  const rows = FAULT_POINTS.map(({ point, words }) => `| \`${point}\` | ${words} |`);
  expect(rows.filter((row) => !DOCUMENT.includes(row))).toEqual([]);
});

it("docs/chaos.md has every example plan", () => {
  const plans = readdirSync(join(ROOT, "test/chaos/plans"));
  expect(plans.filter((plan) => !DOCUMENT.includes(`plans/${plan}`))).toEqual([]);
});
