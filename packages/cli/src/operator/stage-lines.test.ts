import { expect, it } from "vitest";
import { type Every, stageLines } from "./stage-lines.ts";

it("says each five seconds at which stages the signers of a run are, until its end", () => {
  const said: string[] = [];
  let [tick, isOver] = [() => {}, false];
  const every: Every = (ms, callback) => {
    expect(ms).toBe(5_000);
    tick = callback;
    return () => {
      isOver = true;
    };
  };
  {
    using stages = stageLines("auxiliary information", (line) => said.push(line), every);
    tick();
    stages.note(1, "auxiliary/primes");
    stages.note(2, "auxiliary/primes");
    stages.note(3, "refresh");
    tick();
    stages.note(1, "auxiliary/1");
    tick();
    expect(isOver).toBe(false);
  }
  expect(isOver).toBe(true);
  expect(said).toEqual([
    "auxiliary information: no signer has begun, after 5 s",
    "auxiliary information: 2 looking for safe primes, 1 refresh, after 10 s",
    "auxiliary information: 1 committed to their moduli, 1 looking for safe primes, 1 refresh, after 15 s",
  ]);
});
