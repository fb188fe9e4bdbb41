import { describe, expect, it } from "vitest";
import { chanceOf } from "../time/chance-of.ts";
import { TroubledWays } from "./troubled-ways.ts";

const opened = () => {
  let changes = 0;
  const ways = new TroubledWays({
    chanceOf: (way) => chanceOf("ways", way),
    changed: () => {
      changes += 1;
    },
  });
  return { ways, changes: () => changes };
};

describe("the ways between places", () => {
  it("have faults in one direction alone, until these are undone, each for itself", () => {
    const { ways, changes } = opened();
    const [there, back] = [ways.of("signer-1", "signer-2"), ways.of("signer-2", "signer-1")];
    const undoes = [there.trouble({ kind: "cut" }), there.trouble({ kind: "cut" })];
    expect([there.isCut, back.isCut, ways.cut, changes()]).toEqual([true, false, ["signer-1 → signer-2"], 1]);
    undoes[0]?.();
    expect(there.isCut).toBe(true);
    undoes[1]?.();
    expect([there.isCut, ways.cut, changes()]).toEqual([false, [], 2]);
  });

  it("are as bad as the worst of their faults", () => {
    const way = opened().ways.of("orchestrator-1", "postgres");
    way.trouble({ kind: "delay", ms: 20 });
    const undo = way.trouble({ kind: "delay", ms: 300 });
    way.trouble({ kind: "slow", bytesPerSecond: 5_000 });
    way.trouble({ kind: "slow", bytesPerSecond: 9_000 });
    expect([way.delayMs, way.bytesPerSecond]).toEqual([300, 5_000]);
    undo();
    expect(way.delayMs).toBe(20);
  });

  it("break by chance, as often as the fault says", () => {
    const { ways } = opened();
    const [sound, bad] = [ways.of("a", "b"), ways.of("b", "a")];
    bad.trouble({ kind: "break", percent: 20 });
    const broken = Array.from({ length: 1_000 }, () => bad.breaks()).filter(Boolean).length;
    expect([sound.breaks(), broken > 150, broken < 250]).toEqual([false, true, true]);
  });

  it("say once that they are not cut any more", () => {
    const way = opened().ways.of("a", "b");
    const heard: string[] = [];
    const undo = way.trouble({ kind: "cut" });
    way.onceMended(() => heard.push("mended"));
    undo();
    way.trouble({ kind: "cut" })();
    expect(heard).toEqual(["mended"]);
  });
});
