import { describe, expect, it } from "vitest";
import { type ChaosRun, carryOut, type FaultInjector } from "./carry-out.ts";
import { parsePlan } from "./parse.ts";
import { plannedText } from "./print.ts";

const faultsOf = (...lines: readonly string[]) => {
  const parsed = parsePlan(lines.join("\n"));
  return parsed.ok ? parsed.plan.faults : expect.fail(JSON.stringify(parsed.problems));
};

/** Runs a plan in virtual time, which advances when every task waits, up to the end of the load. */
const runUntil = (endsMs: number, injector: Partial<FaultInjector> = {}) => {
  const said: string[] = [];
  const ended = new AbortController();
  let nowMs = 0;
  const sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];
  const say = (words: string): void => void said.push(`${nowMs} ${words}`);
  const run: ChaosRun = {
    injector: {
      inject: async (fault) => {
        say(`begins ${fault.kind}`);
        return async () => say(`heals ${fault.kind}`);
      },
      dieAt: async (_place, point) => {
        say(`dies at ${point}`);
        return async () => say("lives again");
      },
      ...injector,
    },
    elapsedMs: () => nowMs,
    sleep: (ms, until) =>
      new Promise((wake) => {
        sleepers.push({ atMs: nowMs + ms, wake });
        until.addEventListener("abort", () => wake());
        if (until.aborted) wake();
      }),
    reached: async (request, stage) => say(`request ${request} is ${stage}`),
    ended: ended.signal,
    report: () => undefined,
  };
  const pass = async (): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      sleepers.sort((one, other) => one.atMs - other.atMs);
      const next = sleepers.shift();
      if (next === undefined || next.atMs > endsMs) break;
      nowMs = next.atMs;
      next.wake();
    }
    nowMs = endsMs;
    ended.abort();
  };
  return { run, said, pass };
};

describe("a plan that is carried out", () => {
  it("begins each fault at its moment, and heals it at its end", async () => {
    const { run, said, pass } = runUntil(10_000);
    const outcomes = carryOut(run, faultsOf("kill signer-1 from 3s to 6s", "pause nats from 2s to 4s"));
    await pass();
    expect((await outcomes).map(({ beganMs, healedMs }) => [beganMs, healedMs])).toEqual([
      [3_000, 6_000],
      [2_000, 4_000],
    ]);
    expect(said).toEqual(["2000 begins pause", "3000 begins kill", "4000 heals pause", "6000 heals kill"]);
  });

  it("heals everything when the load ends, and begins nothing after it", async () => {
    const { run, said, pass } = runUntil(10_000);
    const faults = faultsOf("kill signer-1 at 3s", "kill signer-2 at 20s", "nats forgets everything at 5s");
    const outcomes = carryOut(run, faults);
    await pass();
    expect((await outcomes).map(({ beganMs, healedMs }) => [beganMs, healedMs])).toEqual([
      [3_000, 10_000],
      [undefined, undefined],
      [5_000, 10_000],
    ]);
    expect(said).not.toContain("20000 begins kill");
  });

  it("waits for requests and for points", async () => {
    const { run, said, pass } = runUntil(10_000);
    const faults = faultsOf(
      "kill orchestrator-1 when request 3 is signed for 2s",
      "kill orchestrator-1 when it reaches transfer.signed for 1s",
    );
    const outcomes = carryOut(run, faults);
    await pass();
    expect((await outcomes).map(({ text }) => text)).toEqual(faults.map(plannedText));
    expect(said).toEqual([
      "0 request 3 is signed",
      "0 dies at transfer.signed",
      "0 begins kill",
      "1000 lives again",
      "2000 heals kill",
    ]);
  });

  it("reports faults that could not be made or healed, and carries on with the others", async () => {
    const { run, pass } = runUntil(10_000, {
      inject: async (fault) => {
        if (fault.kind === "pause") throw new Error("there is no such process");
        return () => Promise.reject(new Error("it does not start again"));
      },
    });
    const outcomes = carryOut(run, faultsOf("pause nats at 1s", "kill signer-1 from 1s to 2s"));
    await pass();
    expect(await outcomes).toMatchObject([
      { beganMs: undefined, trouble: "there is no such process" },
      { beganMs: 1_000, healedMs: undefined, trouble: "it does not start again" },
    ]);
  });
});
