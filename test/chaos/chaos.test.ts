import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePlan } from "@conclave/chaos";
import { expect, it } from "vitest";
import { runCampaign } from "./campaign.ts";

/** As much of `make chaos` as fits into the gate; a change of code that faults exercise needs more. */
const PLAN = `
seed 3
signers 3
threshold 2
orchestrators 2
load 2 transfers a second for 16s on EthereumSepolia, Stellar
kill signer-1 from 2s to 4s
kill orchestrator-1 when it reaches transfer.signed 2 times for 1s
cut signer-2 → signer-3 from 4s to 7s
kill signer-3 when it reaches presignature.spent for 1s
nats forgets everything at 8s
kill orchestrator-2 when request 12 is signed for 1s
pause postgres from 10s to 12s
kill gateway-1 from 13s to 15s
`;

it("INV-1 to INV-11 hold through faults under load", async () => {
  const parsed = parsePlan(PLAN);
  if (!parsed.ok) expect.fail(JSON.stringify(parsed.problems));
  const timeline: string[] = [];
  const { findings, outcomes } = await runCampaign(parsed.plan, {
    folder: mkdtempSync(join(tmpdir(), "conclave-chaos-")),
    parameters: "INSECURE-TEST",
    report: (line) => void timeline.push(line),
  });
  expect([findings, outcomes.filter(({ trouble }) => trouble !== undefined)], timeline.join("\n")).toEqual([
    [],
    [],
  ]);
  // a process may never reach a point, nor the load a stage, before the load ends
  const timed = outcomes.filter((_, at) => parsed.plan.faults[at]?.start.kind === "time");
  expect(timed.every(({ beganMs }) => beganMs !== undefined)).toBe(true);
});
