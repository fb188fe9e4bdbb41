import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WorldOrder, WorldReport } from "../workers/world-order.ts";
import { simulateClusters } from "./simulate.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "conclave-simulate-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const planFile = async (text: string): Promise<string> => {
  const file = join(folder, "a.plan");
  await writeFile(file, text);
  return file;
};

const HELD: WorldReport = {
  findings: [],
  outcomes: [],
  reached: {},
  transfers: 2,
  steps: 10,
  lastedMs: 1_500,
  digest: "",
  lines: [],
  peakMb: 1,
};

const run = async (
  texts: Record<string, string>,
  reportOf: (order: WorldOrder) => WorldReport = () => HELD,
) => {
  const ordered: WorldOrder[] = [];
  const written: string[] = [];
  let isClosed = false;
  const code = await simulateClusters(texts, { write: (text) => written.push(text) }, () => ({
    run: async (order) => {
      ordered.push(order);
      return reportOf(order);
    },
    close: () => {
      isClosed = true;
    },
  }));
  return { code, text: written.join(""), ordered, isClosed };
};

describe("make simulate says what is wrong, and runs no world, for", () => {
  it.each([
    [{ SEED: "seven" }, 'SEED is a whole number from 1 to 900000000, not "seven".\n'],
    [{ PROFILE: "mad" }, 'PROFILE is one of calm, rough, hostile, not "mad".\n'],
    [
      { PLAN: "/nowhere/a.plan" },
      "PLAN=/nowhere/a.plan cannot be read: name a file with a plan, such as examples/a-signer-dies.plan.\n",
    ],
  ])("%o", async (texts, sentence) => {
    expect(await run(texts)).toMatchObject({ code: 2, text: sentence, ordered: [] });
  });

  it("a line of a plan that is none, each with its number", async () => {
    const file = await planFile(
      "load 1 transfer a second for 2s\nkill signer-9 from 1s to 2s\nburn signer-1\n",
    );
    const { code, text, ordered } = await run({ PLAN: file });
    expect([code, ordered]).toEqual([2, []]);
    expect(text.split("\n").map((line) => line.slice(file.length, file.length + 3))).toEqual([
      ":2:",
      ":3:",
      "",
    ]);
  });

  it("a network that no world has", async () => {
    const file = await planFile("load 1 transfer a second for 2s on Polygon\n");
    const { code, text } = await run({ PLAN: file });
    expect(code).toBe(2);
    expect(text).toContain("let the load of the plan be on these, not on Polygon");
  });
});

describe("make simulate", () => {
  it("runs the world of a plan once, by the seed of the plan, and shows it", async () => {
    const file = await planFile("seed 41\nload 1 transfer a second for 2s\n");
    const { code, text, ordered, isClosed } = await run({ PLAN: file });
    expect([code, isClosed]).toEqual([0, true]);
    expect(ordered.map(({ seed, isShown }) => ({ seed, isShown }))).toEqual([{ seed: 41, isShown: true }]);
    expect(text).toContain("world 41: 2 transfers, 0 faults, 10 steps, 1.5 virtual s, no finding\n");
  });

  it("prefers the SEED of the caller to that of the plan", async () => {
    const file = await planFile("seed 41\nload 1 transfer a second for 2s\n");
    const { ordered } = await run({ PLAN: file, SEED: "7", WORLDS: "2" });
    expect(ordered.map(({ seed }) => seed).sort()).toEqual([7, 8]);
  });

  it("keeps the plan and the timeline of a failed world, and says how it is repeated", async () => {
    const failed = { ...HELD, findings: [{ invariant: "INV-4", words: "paid twice" }] };
    const { code, text } = await run({ SEED: "3", WORLDS: "2", SHRINK: "0" }, ({ seed }) =>
      seed === 4 ? failed : HELD,
    );
    expect(code).toBe(1);
    const [, command, file = ""] = /^(.*) repeats it; its plan and timeline are in (.*)$/m.exec(text) ?? [];
    expect(command).toBe("make simulate SEED=4 WORLDS=1");
    expect(await readFile(file, "utf8")).toContain("INV-4: paid twice");
    expect(await readFile(`${file}.plan`, "utf8")).toContain("# make simulate SEED=4 WORLDS=1\n");
    await rm(join(file, ".."), { recursive: true });
  });

  it("fails a long campaign that never reached a rare path, and names it", async () => {
    const { code, text } = await run({ SEED: "1", WORLDS: "3", SOMETIMES: "3" });
    expect(code).toBe(1);
    expect(text).toContain("No world of 3 reached these, so that the campaign shows nothing about them:\n");
    expect(text).toContain("  a session with signers is lost\n");
  });
});
