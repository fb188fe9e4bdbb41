import { type ChaosPlan, parsePlan, planText } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { type JudgedRun, shrinkPlan } from "./shrink-plan.ts";

const KILLS = Array.from(
  { length: 12 },
  (_, at) => `kill signer-${1 + (at % 5)} from ${500 + at * 500}ms to 7s`,
);
const LAST = "pause orchestrator-2 from 7.5s to 7.9s";

const read = (text: string): ChaosPlan => {
  const parsed = parsePlan(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.plan;
};
const PLAN = read(["orchestrators 3", "load 2 transfers a second for 8s", ...KILLS, LAST].join("\n"));
/** The lines of its faults, as a plan is written. */
const FAULTS = planText(PLAN).trim().split("\n").slice(6);

/** A run that violates INV-4 where its plan has all of these lines, and else another invariant. */
const runOf =
  (lines: readonly string[], tried: string[]) =>
  async (plan: ChaosPlan): Promise<JudgedRun> => {
    const text = planText(plan);
    tried.push(text);
    const isSame = lines.every((line) => text.split("\n").includes(line));
    return { findings: [{ invariant: isSame ? "INV-4" : "INV-5", words: "a finding" }] };
  };

const shrunk = async (lines: readonly string[], runsMax: number) => {
  const tried: string[] = [];
  const found = await shrinkPlan({ plan: PLAN, invariant: "INV-4", run: runOf(lines, tried), runsMax });
  return { ...found, tried };
};

describe("shrinking", () => {
  it("finds the one fault that a failure depends on, in a plan as small as it can be", async () => {
    const third = FAULTS[2] ?? "";
    const { plan, run, tried, runs } = await shrunk([third], 100);
    expect(planText(plan)).toBe(
      ["seed 1", "signers 5", "threshold 3", "orchestrators 1", "gateways 1"]
        .concat("load 1 transfer a second for 2s by 2 wallets on EthereumSepolia", third, "")
        .join("\n"),
    );
    expect(run?.findings).toEqual([{ invariant: "INV-4", words: "a finding" }]);
    expect([new Set(tried).size, tried.length]).toEqual([runs, runs]);
  });

  it("finds two faults that a failure needs together", async () => {
    const needed = [FAULTS[1] ?? "", LAST];
    const { plan } = await shrunk(needed, 200);
    expect(plan.faults.map((_, at) => planText(plan).split("\n")[6 + at])).toEqual(needed);
    expect(plan.orchestrators).toBe(2);
  });

  it("keeps the plan where every smaller one keeps the invariant", async () => {
    const { plan, run, runs } = await shrunk(["no plan has this line"], 1_000);
    expect([plan, run]).toEqual([PLAN, undefined]);
    expect(runs).toBeLessThan(1_000);
  });

  it.each([0, 1, 5, 17])("runs no more plans than its bound of %d", async (runsMax) => {
    const { runs, tried } = await shrunk([LAST], runsMax);
    expect([runs, tried.length]).toEqual([runsMax, runsMax]);
  });
});
