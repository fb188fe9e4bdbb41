import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePlan, planText } from "@conclave/chaos";
import { FAULT_POINTS } from "@conclave/platform/fault-points";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "plans");
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".plan"));
const read = (file: string): string => readFileSync(join(FOLDER, file), "utf8");

it.each(FILES)("the example %s is a plan, of points that there are", (file) => {
  const parsed = parsePlan(read(file));
  if (!parsed.ok) expect.fail(JSON.stringify(parsed.problems));
  expect(parsePlan(planText(parsed.plan))).toEqual(parsed);
  const known = FAULT_POINTS.map(({ point }): string => point);
  for (const { start } of parsed.plan.faults)
    if (start.kind === "point") expect(known).toContain(start.point);
});

it("the examples are sixteen, and have every kind of fault and every point between them", () => {
  const plans = FILES.map((file) => parsePlan(read(file))).flatMap((parsed) =>
    parsed.ok ? [parsed.plan] : [],
  );
  expect(plans).toHaveLength(16);
  const faults = plans.flatMap((plan) => plan.faults);
  expect([...new Set(faults.map(({ fault }) => fault.kind))].sort()).toEqual(
    ["bus", "chain", "clock", "disk", "kill", "lie", "link", "pause", "stop", "store"].sort(),
  );
  const points = faults.flatMap(({ start }) => (start.kind === "point" ? [start.point] : []));
  expect(points.sort()).toEqual(FAULT_POINTS.map(({ point }): string => point).sort());
});
