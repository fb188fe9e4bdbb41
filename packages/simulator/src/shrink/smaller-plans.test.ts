import { type ChaosPlan, parsePlan, planText } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { smallerPlans } from "./smaller-plans.ts";

const planOf = (...lines: readonly string[]): ChaosPlan => {
  const parsed = parsePlan(lines.join("\n"));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.plan;
};

const LOAD = "load 2 transfers a second for 8s";
const [KILL, PAUSE, CLOCK, FORGET] = [
  "kill signer-1, signer-2 from 1s to 3s",
  "pause orchestrator-3 from 3s to 4s",
  "move the clock of orchestrator-2 by +5s from 5s to 6s",
  "EthereumSepolia forgets its pool at 7s",
] as const;

const faultsOf = (plan: ChaosPlan): readonly string[] => planText(plan).trim().split("\n").slice(6);

describe("the plans that are smaller than a plan", () => {
  it("leave out all faults, each half of them, and each of them", () => {
    const plan = planOf("orchestrators 3", LOAD, KILL, PAUSE, CLOCK, FORGET);
    expect(smallerPlans(plan).slice(0, 7).map(faultsOf)).toEqual([
      [],
      [CLOCK, FORGET],
      [KILL, PAUSE],
      [PAUSE, CLOCK, FORGET],
      [KILL, CLOCK, FORGET],
      [KILL, PAUSE, FORGET],
      [KILL, PAUSE, CLOCK],
    ]);
  });

  it("leave out each place of a fault", () => {
    const plan = planOf(LOAD, KILL);
    expect(smallerPlans(plan).map(faultsOf).slice(1, 3)).toEqual([
      ["kill signer-2 from 1s to 3s"],
      ["kill signer-1 from 1s to 3s"],
    ]);
  });

  it("have a shorter load without the faults after it, then a slower one, then fewer wallets", () => {
    const plan = planOf(
      "load 2 transfers a second for 8s by 6 wallets",
      FORGET,
      "kill signer-1 when request 9 is signed",
    );
    const loads = smallerPlans(plan)
      .slice(3)
      .map(({ load: { perSecond, lastsMs, wallets }, faults }) => [
        perSecond,
        lastsMs,
        wallets,
        faults.length,
      ]);
    expect(loads).toEqual([
      [2, 2_000, 6, 0],
      [2, 4_000, 6, 0],
      [2, 6_000, 6, 1],
      [1, 8_000, 6, 1],
      [2, 8_000, 3, 2],
    ]);
  });

  it("have fewer orchestrators, without the faults of those that are gone", () => {
    const plan = planOf(
      "orchestrators 3",
      LOAD,
      "kill orchestrator-1, orchestrator-3 from 1s to 2s",
      PAUSE,
      CLOCK,
    );
    const fewer = smallerPlans(plan).filter(({ orchestrators }) => orchestrators < 3);
    expect(fewer.map((smaller) => [smaller.orchestrators, faultsOf(smaller)])).toEqual([
      [1, ["kill orchestrator-1 from 1s to 2s"]],
      [2, ["kill orchestrator-1 from 1s to 2s", CLOCK]],
    ]);
  });

  it("have fewer gateways, without the faults of those that are gone", () => {
    const plan = planOf("gateways 2", LOAD, "kill gateway-2 from 1s to 2s", "pause gateway-1 from 1s to 2s");
    const fewer = smallerPlans(plan).filter(({ gateways }) => gateways < 2);
    expect(fewer.map((smaller) => [smaller.gateways, faultsOf(smaller)])).toEqual([
      [1, ["pause gateway-1 from 1s to 2s"]],
    ]);
  });

  it("can all be read again from their text", () => {
    const plan = planOf("orchestrators 3", LOAD, KILL, PAUSE, CLOCK, FORGET);
    for (const smaller of smallerPlans(plan))
      expect(parsePlan(planText(smaller))).toEqual({ ok: true, plan: smaller });
  });

  it("are none for the smallest plan", () => {
    expect(smallerPlans(planOf("load 1 transfers a second for 1s by 2 wallets"))).toEqual([]);
  });
});
