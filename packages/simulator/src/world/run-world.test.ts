import { type ChaosPlan, parsePlan } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { runWorld } from "./run-world.ts";

const planOf = (...lines: readonly string[]): ChaosPlan => {
  const parsed = parsePlan(lines.join("\n"));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.plan;
};

const LOAD = "load 2 transfers a second for 4s on EthereumSepolia";

describe("a world", () => {
  it("INV-2 INV-4 INV-5 INV-6 ends each transfer, whichever process dies meanwhile", async () => {
    const plan = planOf(
      "orchestrators 2",
      LOAD,
      "kill signer-1 from 1s to 3s",
      "kill orchestrator-1 from 500ms to 2s",
      "pause orchestrator-2 from 1500ms to 2500ms",
      "kill nats from 2s to 3s",
      "kill postgres from 2500ms to 3s",
    );
    const { findings, outcomes, transfers } = await runWorld(plan, "first");
    expect([findings, transfers]).toEqual([[], 8]);
    expect(outcomes.map(({ trouble }) => trouble)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  }, 120_000);

  it("INV-4 INV-5 accepts each request once, whichever gateway dies or stands still, or sets its clock", async () => {
    const plan = planOf(
      "gateways 2",
      LOAD,
      "kill gateway-1 from 500ms to 2s",
      "pause gateway-2 from 1500ms to 3s",
      "move the clock of gateway-1 by +20s from 2500ms to 4s",
    );
    const { findings, outcomes, transfers } = await runWorld(plan, "gateways", { lostStatements: 0.01 });
    expect([findings, transfers]).toEqual([[], 8]);
    expect(outcomes.map(({ trouble }) => trouble)).toEqual([undefined, undefined, undefined]);
  }, 120_000);

  it("INV-5 starts a gateway while the database is away, again and again until that is back", async () => {
    const plan = planOf(LOAD, "kill gateway-1 from 1s to 2s", "kill postgres from 1500ms to 3500ms");
    const { findings, lines } = await runWorld(plan, "first");
    expect(findings).toEqual([]);
    expect(lines.filter(({ process }) => process === "gateway-1").length).toBeGreaterThan(2);
  }, 120_000);

  it("INV-5 starts an orchestrator while the database is away, and it works once that is back", async () => {
    const plan = planOf(LOAD, "kill orchestrator-1 from 1s to 2s", "kill postgres from 1500ms to 3s");
    const { findings } = await runWorld(plan, "first");
    expect(findings).toEqual([]);
  }, 120_000);

  it("INV-6 delivers each event to a webhook whose endpoint refuses some, whichever orchestrator dies", async () => {
    const plan = planOf("orchestrators 2", LOAD, "kill orchestrator-1 from 1s to 3s");
    const { findings, transfers } = await runWorld(plan, "webhooks", { hasWebhook: true });
    expect([findings, transfers]).toEqual([[], 8]);
  }, 120_000);

  it("refuses a plan whose load is on a network that it does not have", async () => {
    const plan = planOf("load 2 transfers a second for 4s on Stellar");
    await expect(runWorld(plan, "first")).rejects.toThrow(
      "A world has the networks EthereumSepolia and BitcoinSignet",
    );
  });

  it("is the same again for the same seed, and another for another", async () => {
    const plan = planOf("orchestrators 2", LOAD, "kill signer-2 from 1s to 2s");
    const [first, again, other] = [
      await runWorld(plan, "a seed"),
      await runWorld(plan, "a seed"),
      await runWorld(plan, "another seed"),
    ];
    expect([again.steps, again.digest, again.lines]).toEqual([first.steps, first.digest, first.lines]);
    expect(other.digest).not.toBe(first.digest);
  }, 240_000);
});
