import { type ChaosPlan, parsePlan } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { runWorld } from "./run-world.ts";

const planOf = (...lines: readonly string[]): ChaosPlan => {
  const parsed = parsePlan(lines.join("\n"));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.plan;
};

const LOAD = "load 2 transfers a second for 6s by 2 wallets on BitcoinSignet";

/** A plan whose faults are all carried out, and after which everything ends. */
const expectClean = async (seed: string, ...lines: readonly string[]) => {
  const run = await runWorld(planOf(...lines), seed);
  expect(run.findings).toEqual([]);
  expect(run.outcomes.map(({ trouble }) => trouble)).toEqual(run.outcomes.map(() => undefined));
  return run;
};

describe("INV-2 INV-3 INV-4 INV-5 INV-6 INV-8 a world whose transactions spend coins ends each transfer", () => {
  it("without faults", async () => {
    const { transfers } = await expectClean("coins", LOAD);
    expect(transfers).toBe(12);
  }, 240_000);

  it("whichever orchestrator and signer dies", async () => {
    await expectClean(
      "deaths",
      "orchestrators 3",
      LOAD,
      "kill orchestrator-1 from 500ms to 2s",
      "kill signer-1, signer-2 from 1s to 3s",
      "kill orchestrator-2 from 2500ms to 4s",
      "kill orchestrator-3 from 4s to 5s",
    );
  }, 240_000);

  it("whichever blocks are undone, and whatever the node forgets, holds and refuses", async () => {
    await expectClean(
      "undone",
      "orchestrators 2",
      LOAD,
      "reorganise BitcoinSignet by 2 blocks at 2s",
      "BitcoinSignet forgets its pool at 2s",
      "BitcoinSignet holds transactions from 3s to 4500ms",
      "reorganise BitcoinSignet by 1 block at 5s",
      "BitcoinSignet refuses transactions from 2500ms to 3500ms",
      "cut orchestrator-1 ↔ BitcoinSignet from 1s to 5s",
    );
  }, 240_000);

  it("whichever calls are answered by a node that is behind", async () => {
    const plan = planOf("orchestrators 2", LOAD, "reorganise BitcoinSignet by 2 blocks at 3s");
    const { findings, reached } = await runWorld(plan, "behind", { laggingNodes: 0.5 });
    expect(findings).toEqual([]);
    expect(reached["a node that is behind answers"]).toBeGreaterThan(10);
  }, 240_000);

  it("beside a chain of accounts, in turns", async () => {
    const { transfers, lines } = await expectClean(
      "both",
      "orchestrators 2",
      "load 2 transfers a second for 5s by 2 wallets on EthereumSepolia, BitcoinSignet",
      "kill signer-3 from 1s to 2s",
      "reorganise EthereumSepolia by 1 block at 3s",
      "reorganise BitcoinSignet by 2 blocks at 3500ms",
    );
    expect(transfers).toBe(10);
    expect(lines.length).toBeGreaterThan(0);
  }, 240_000);
});

it("a world with both chains is the same again for the same seed", async () => {
  const plan = planOf(
    "orchestrators 2",
    "load 2 transfers a second for 3s by 2 wallets on EthereumSepolia, BitcoinSignet",
    "kill signer-2 from 1s to 2s",
    "reorganise BitcoinSignet by 2 blocks at 1500ms",
  );
  const [first, again] = [await runWorld(plan, "a seed"), await runWorld(plan, "a seed")];
  expect([again.steps, again.digest, again.lines]).toEqual([first.steps, first.digest, first.lines]);
  expect(first.findings).toEqual([]);
}, 240_000);
