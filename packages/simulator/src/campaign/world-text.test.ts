import { QUIET_PLAN } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { unfinishedReport } from "../workers/world-order.ts";
import { repeatLine, worldText } from "./world-text.ts";

const USUAL = { signers: 5, threshold: 3, transfers: 16 };

describe("a world", () => {
  it("is one line, and one for each fault that was not carried out and for each finding", () => {
    const outcome = { text: "fill the disk of signer-1 at 1s", kind: "disk", beganMs: undefined } as const;
    const report = {
      ...unfinishedReport("INV-4", "xfr-1 is Failed", 1),
      outcomes: [{ ...outcome, healedMs: undefined, trouble: "the signers of a world do not lie" }],
      transfers: 16,
      steps: 5_000,
      lastedMs: 8_250,
    };
    expect(worldText({ order: { seed: 7, plan: QUIET_PLAN, lostStatements: 0 }, report })).toBe(
      [
        "world 7: 16 transfers, 1 faults, 5000 steps, 8.3 virtual s, 1 findings",
        "  not carried out: fill the disk of signer-1 at 1s: the signers of a world do not lie",
        "  INV-4: xfr-1 is Failed",
      ].join("\n"),
    );
  });

  it("is repeated by a line with the settings that change it", () => {
    const small = { signers: 3, threshold: 2, transfers: 16 };
    const lines = [
      repeatLine({ size: USUAL, planFile: undefined, profile: "rough" }, 7),
      repeatLine({ size: small, planFile: undefined, profile: "calm" }, 7),
      repeatLine({ size: { ...USUAL, transfers: 2 }, planFile: undefined, profile: "rough" }, 7),
      repeatLine({ size: small, planFile: "a.plan", profile: "rough" }, 7),
      repeatLine({ size: small, planFile: "a.plan", profile: "hostile" }, 7, "shrunk.plan"),
    ];
    expect(lines).toEqual([
      "make simulate SEED=7 WORLDS=1",
      "make simulate SEED=7 WORLDS=1 SIGNERS=3 THRESHOLD=2 PROFILE=calm",
      "make simulate SEED=7 WORLDS=1 TRANSFERS=2",
      "make simulate SEED=7 WORLDS=1 PLAN=a.plan",
      "make simulate SEED=7 WORLDS=1 PLAN=shrunk.plan PROFILE=hostile",
    ]);
  });
});
