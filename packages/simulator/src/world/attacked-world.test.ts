import { parsePlan } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { ACTS } from "../attack/acts.ts";
import { runWorld } from "./run-world.ts";

describe("an attacked world", () => {
  it("INV-1 INV-2 INV-3 INV-4 INV-8 keeps every invariant while an orchestrator is hostile", async () => {
    const parsed = parsePlan(
      [
        "orchestrators 2",
        "load 2 transfers a second for 6s on EthereumSepolia",
        "kill signer-2 from 1s to 2s",
      ].join("\n"),
    );
    if (!parsed.ok) throw new Error("the plan can be read");
    const { findings, reached } = await runWorld(parsed.plan, "attacked", {
      isAttacked: true,
      presignatures: 4,
    });
    expect(findings).toEqual([]);
    // the attack is real: signers were asked, and refused
    const acts = Object.keys(ACTS).filter((act) => (reached[`hostile tries: ${act}`] ?? 0) > 0);
    const refusals = Object.keys(reached).filter((name) => name.startsWith("hostile is refused: "));
    expect([acts.length > 4, refusals.length > 3]).toEqual([true, true]);
  }, 240_000);
});
