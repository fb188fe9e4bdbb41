import { type ChaosPlan, parsePlan } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { runWorld } from "./run-world.ts";

const planOf = (...lines: readonly string[]): ChaosPlan => {
  const parsed = parsePlan(lines.join("\n"));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.plan;
};

const LOAD = "load 2 transfers a second for 6s";

/** A plan whose faults are all carried out, and after which everything ends. */
const expectClean = async (seed: string, ...lines: readonly string[]): Promise<readonly string[]> => {
  const { findings, outcomes, lines: said } = await runWorld(planOf(...lines), seed);
  expect(findings).toEqual([]);
  const carriedOut = outcomes.map(({ text, trouble, beganMs }) => [text, trouble, beganMs !== undefined]);
  expect(carriedOut).toEqual(outcomes.map(({ text }) => [text, undefined, true]));
  return said.map(({ process, words }) => `${process}: ${words}`);
};

describe("INV-2 INV-4 INV-5 INV-6 a world ends each transfer", () => {
  it(
    "whichever link is cut, slow, late or breaks",
    () =>
      expectClean(
        "links",
        "orchestrators 2",
        LOAD,
        "cut signer-1 → signer-3 from 500ms to 3s",
        "cut signer-2 ↔ signer-4 from 1s to 3s",
        "delay signer-5 ↔ signer-1 by 400ms from 1s to 5s",
        "break orchestrator-1 → signer-2 20% from 1s to 5s",
        "slow signer-3 → signer-4 to 5 kB/s from 1s to 5s",
        "cut orchestrator-1 ↔ postgres from 2s to 5s",
        "delay gateway-1 ↔ postgres by 300ms from 3s to 4s",
        "cut orchestrator-2 → nats from 3s to 5s",
        "cut EthereumSepolia → orchestrator-2 from 1s to 2500ms",
        "cut orchestrator-2 → signer-4 from 1s to 4s",
      ),
    240_000,
  );

  it("whichever disk is full, loses power or syncs, or goes back to a copy", async () => {
    const said = await expectClean(
      "disks",
      "orchestrators 2",
      LOAD,
      "fill the disk of signer-1 from 500ms to 2s",
      "fail the syncs of signer-2 from 2500ms to 3500ms",
      "cut the power of signer-3, signer-4 from 3s to 4s",
      "disk of signer-5 goes back by 3s at 4s",
      "disk of signer-1 goes back by 1m at 5s",
    );
    const ends = said.filter((line) => line.includes("ends by itself"));
    expect(ends).toEqual([
      expect.stringMatching(/^signer-1: .*ENOSPC/),
      expect.stringMatching(/^signer-2: .*EIO/),
    ]);
  }, 240_000);

  it(
    "whichever process is stopped, and whatever bus and chain do",
    () =>
      expectClean(
        "stops",
        "orchestrators 2",
        LOAD,
        "stop signer-1, signer-2, signer-3 from 500ms to 2s",
        "stop orchestrator-1 from 1s to 3s",
        "stop nats from 1500ms to 2500ms",
        "nats forgets everything at 3s",
        "nats goes back by 2s at 4s",
        "nats delivers twice from 1s to 5s",
        "EthereumSepolia holds transactions from 1s to 4s",
        "EthereumSepolia refuses transactions from 3s to 5s",
      ),
    240_000,
  );

  it("also where machines are lost for good: only a quorum comes back", async () => {
    const said = await expectClean(
      "machines",
      "orchestrators 2",
      LOAD,
      "lose signer-2, orchestrator-1 at 1s",
      "kill signer-1, signer-3, orchestrator-2 from 2s to 4s",
      "lose signer-4 at 3s",
    );
    const lives = said.filter((line) => line.includes("starts its life")).map((line) => line.split(":")[0]);
    expect(lives.filter((name) => name === "signer-2" || name === "orchestrator-1")).toHaveLength(2);
    expect(lives.filter((name) => name === "signer-1")).toHaveLength(2);
  }, 240_000);

  it("also where signers die while they write", async () => {
    const run = await runWorld(planOf("orchestrators 2", LOAD), "writes", { deathsInWrites: 0.05 });
    expect(run.findings).toEqual([]);
    const deaths = run.lines.filter(({ process, words }) => /^signer/.test(process) && words === "dies");
    expect(deaths.length).toBeGreaterThan(3);
  }, 240_000);

  it("also where a store lost an entry: its signer notices, and stays away", async () => {
    const run = await runWorld(
      planOf("orchestrators 2", LOAD, "disk of signer-2 loses the entry key/* at 2s"),
      "entries",
    );
    expect(run.findings).toEqual([]);
    const said = run.lines.filter(({ process }) => process === "signer-2").map(({ words }) => words);
    expect(said.at(-2)).toMatch(/^ends by itself: Another than this signer changed the store/);
    expect(said.at(-1)).toBe("dies");
  }, 240_000);
});

it("a world of links, disks and lost machines is the same again, also where its transfers are watched", async () => {
  const plan = planOf(
    "load 2 transfers a second for 3s",
    "cut signer-1 ↔ signer-2 from 300ms to 2s",
    "break orchestrator-1 → postgres 10% from 300ms to 2s",
    "cut the power of signer-3 from 500ms to 1s",
    "disk of signer-4 goes back by 1s at 1500ms",
    "lose signer-5 at 2s",
  );
  const [run, watched] = [
    await runWorld(plan, "same"),
    await runWorld(plan, "same", { watchesTransfers: true }),
  ];
  expect([watched.digest, watched.findings]).toEqual([run.digest, []]);
  const ends = watched.lines.filter(({ process }) => process === "transfers").map(({ words }) => words);
  expect(ends).toHaveLength(6);
  for (const words of ends) expect(words).toMatch(/^transfer-\d( of Beta)? is Confirmed after \d+\.\d s$/);
  expect(watched.lines.filter(({ process }) => process !== "transfers")).toEqual(run.lines);
}, 240_000);

describe("INV-5 a world that makes no progress", () => {
  it("ends, and says which transfers wait and who is dead", async () => {
    const plan = planOf(
      "load 1 transfer a second for 600s by 2 wallets",
      "kill signer-1, signer-2, signer-3 at 500ms",
    );
    const { findings } = await runWorld(plan, "stands", { stepLimits: { most: 6_000, mostAtOnce: 500 } });
    const [first] = findings;
    expect([findings.length, first?.invariant]).toEqual([1, "progress"]);
    expect(first?.words).toMatch(/^the world has taken 6000 steps\n/);
    expect(first?.words).toMatch(/\n +xfr-\S+ is (Pending|Executing)/);
    expect(first?.words).toMatch(/\n +signer-2 is dead; its last: dies at \d/);
    expect(first?.words).toMatch(/\n +orchestrator-1 runs; its last: /);
  }, 240_000);
});
