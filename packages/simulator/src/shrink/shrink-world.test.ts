import { parsePlan, planText } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { unfinishedReport, type WorldOrder, type WorldReport } from "../workers/world-order.ts";
import { failedPlanText, shrinkWorld } from "./shrink-world.ts";

const GUILTY = "kill signer-1 from 1s to 2s";
const parsed = parsePlan(["load 2 transfers a second for 4s", "kill nats at 500ms", GUILTY].join("\n"));
if (!parsed.ok) throw new Error(JSON.stringify(parsed));
const ORDER: WorldOrder = { seed: 7, plan: parsed.plan, lostStatements: 0 };

const FAILED = unfinishedReport("INV-4", "xfr-1 is Failed\nand paid", 1);
const runs: WorldOrder[] = [];
const run = async (order: WorldOrder): Promise<WorldReport> => {
  runs.push(order);
  const hasFault = planText(order.plan).includes(GUILTY);
  return hasFault ? FAILED : { ...FAILED, findings: [] };
};

describe("a failed world", () => {
  it("is shrunk by its own seed to the fault that it needs", async () => {
    const shrunk = await shrinkWorld({ order: ORDER, report: FAILED }, run, 40);
    expect(
      planText(shrunk?.order.plan ?? ORDER.plan)
        .split("\n")
        .slice(6),
    ).toEqual([GUILTY, ""]);
    expect([shrunk?.report, new Set(runs.map(({ seed }) => seed))]).toEqual([FAILED, new Set([7])]);
  });

  it("is not shrunk where it did not end, or where nothing smaller fails", async () => {
    const clean = async (): Promise<WorldReport> => ({ ...FAILED, findings: [] });
    const overdue = unfinishedReport("time", "the world did not end", 1);
    const never = async (): Promise<WorldReport> => {
      throw new Error("nothing is run");
    };
    expect(await shrinkWorld({ order: ORDER, report: FAILED }, clean, 40)).toBeUndefined();
    expect(await shrinkWorld({ order: ORDER, report: overdue }, never, 40)).toBeUndefined();
  });

  it("has a plan as a file that can be read again", () => {
    const text = failedPlanText({ order: ORDER, report: FAILED }, "make simulate SEED=7 WORLDS=1");
    expect(text.split("\n").slice(0, 3)).toEqual([
      "# make simulate SEED=7 WORLDS=1",
      "# INV-4: xfr-1 is Failed",
      "# and paid",
    ]);
    expect(parsePlan(text)).toEqual({ ok: true, plan: ORDER.plan });
  });
});
