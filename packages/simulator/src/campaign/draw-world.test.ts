import { parsePlan, placeName, planText } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { drawWorld } from "./draw-world.ts";
import { PROFILES, type ProfileName } from "./profile.ts";

const SIZE = { signers: 5, threshold: 3, transfers: 16 };
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
    expect(calm).toBeLessThan(2);
    expect(rough).toBeGreaterThan(2 * calm);
    expect(hostile).toBeGreaterThan(4 * rough);
  });

  it("leaves a quorum whose machines and stores stay, and an orchestrator", () => {
    const kinds = new Set<string>();
    let [mostSigners, mostOrchestrators] = [0, 0];
    for (const seed of SEEDS) {
      const { faults, orchestrators } = drawWorld(seed, SIZE, PROFILES.hostile);
      const [gone, lost] = [new Set<string>(), new Set<string>()];
      for (const { fault } of faults) {
        kinds.add(fault.kind);
        if (fault.kind === "store") gone.add(`signer-${fault.signer}`);
        if (fault.kind === "lose") for (const place of fault.places) lost.add(placeName(place));
      }
      const lostOrchestrators = [...lost].filter((name) => name.startsWith("orchestrator"));
      const signers = new Set([...gone, ...lost].filter((name) => name.startsWith("signer")));
      expect(signers.size).toBeLessThanOrEqual(2);
      expect(lostOrchestrators.length).toBeLessThan(orchestrators);
      mostSigners = Math.max(mostSigners, signers.size);
      mostOrchestrators = Math.max(mostOrchestrators, lostOrchestrators.length);
    }
    expect([mostSigners, mostOrchestrators]).toEqual([2, 2]);
    expect([...kinds].sort()).toEqual(
      ["bus", "chain", "clock", "disk", "kill", "link", "lose", "pause", "power", "stop", "store"].sort(),
    );
  });

  it("is the same for a seed in each version, in the usual profile", () => {
    expect(planText(drawWorld(1, SIZE, PROFILES.rough)).split("\n")).toEqual([
      "seed 1",
      "signers 5",
      "threshold 3",
      "orchestrators 2",
      "gateways 2",
      "load 2 transfers a second for 8s on EthereumSepolia",
      "nats goes back by 5990ms at 3733ms",
      "fill the disk of signer-1 from 5052ms to 10922ms",
      "move the clock of orchestrator-2 by -100d from 7729ms to 13109ms",
      "kill postgres from 5595ms to 10196ms",
      "EthereumSepolia forgets its pool at 7698ms",
      "kill signer-2, signer-4 from 2340ms to 3693ms",
      "EthereumSepolia forgets its pool at 2855ms",
      "delay signer-1 ↔ signer-2 by 632ms from 6624ms to 10780ms",
      "kill gateway-2 from 540ms to 5035ms",
      "delay signer-5 → signer-1 by 589ms from 2865ms to 5154ms",
      "cut signer-3 ↔ signer-4 from 5.1s to 10990ms",
      "fail the syncs of signer-4 from 7984ms to 9356ms",
      "lose signer-3 at 6.4s",
      "lose signer-2 at 7.8s",
      "",
    ]);
  });
});
