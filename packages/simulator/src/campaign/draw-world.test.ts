import { parsePlan, planText } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { drawWorld } from "./draw-world.ts";
import { PROFILES, type ProfileName } from "./profile.ts";

const SIZE = { signers: 5, threshold: 3 };
const SEEDS = Array.from({ length: 200 }, (_, at) => 1 + at);
const NAMES: readonly ProfileName[] = ["calm", "rough", "hostile"];

const meanFaults = (name: ProfileName): number =>
  SEEDS.reduce((sum, seed) => sum + drawWorld(seed, SIZE, PROFILES[name]).faults.length, 0) / SEEDS.length;

describe("a drawn world", () => {
  it.each(NAMES)("of the profile %s can be read again from the text of its plan", (name) => {
    for (const seed of [...SEEDS, 899_999_999]) {
      const plan = drawWorld(seed, SIZE, PROFILES[name]);
      expect(parsePlan(planText(plan))).toEqual({ ok: true, plan });
    }
  });

  it("has more faults the wilder its profile is", () => {
    const [calm, rough, hostile] = [meanFaults("calm"), meanFaults("rough"), meanFaults("hostile")];
    expect(calm).toBeLessThan(1);
    expect(rough).toBeGreaterThan(2 * calm);
    expect(hostile).toBeGreaterThan(4 * rough);
  });

  it("is the same for a seed in each version, in the usual profile", () => {
    expect(planText(drawWorld(1, SIZE, PROFILES.rough)).split("\n")).toEqual([
      "seed 1",
      "signers 5",
      "threshold 3",
      "orchestrators 2",
      "gateways 1",
      "load 2 transfers a second for 8s on EthereumSepolia",
      "EthereumSepolia forgets its pool at 7698ms",
      "kill signer-2, signer-4 from 2340ms to 3693ms",
      "EthereumSepolia forgets its pool at 2855ms",
      "move the clock of postgres by -1d from 3910ms to 6376ms",
      "reorganise EthereumSepolia by 1 block at 7648ms",
      "",
    ]);
  });
});
