import { readFileSync } from "node:fs";
import { loadRoster } from "@conclave/platform/config";
import { type OrderService, ProcessTable, serveOrders, stateLayout } from "@conclave/testbed";
import { LaunchError } from "@conclave/testbed/launch";
import { provisionedCluster } from "@conclave/testbed/testing";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UsageError } from "../../failure/usage-error.ts";
import type { KeyMove } from "../../operator/move-keys.ts";
import { saidTo } from "../../testing/said.ts";
import { addRosterCommands } from "./roster-commands.ts";

const moveKeys = vi.fn<KeyMove>();

let state: string;
beforeEach(async () => {
  moveKeys.mockReset().mockResolvedValue();
  state = (await provisionedCluster()).root;
});

const said = saidTo("stdout");

const run = (...words: readonly string[]) => {
  const program = new Command();
  addRosterCommands(program, async () => ({ state, databaseUrl: undefined }), moveKeys);
  return program.parseAsync(["node", "conclave", "roster", ...words, "--state", state]);
};
const roster = () => loadRoster(stateLayout(state).roster);
const ids = async () => (await roster()).signers.map(({ id }) => id);

describe("where something else runs the cluster", () => {
  it("a change says what to start again, and moves no key before the operator says so", async () => {
    await run("change", "--add", "1", "--remove", "signer-1", "--lost", "signer-2", "--threshold", "2");
    expect(await roster()).toMatchObject({ threshold: 2, change: { threshold: 2, leaving: [1] } });
    for (const words of [
      "Every process takes roster.json and ca.crt",
      `signer-4 is new: its machine gets ${state}/signer-4. The roster has its address as signer-4:7000`,
      "then the orchestrators, then start signer-4",
      "Then restart signer-1, signer-3, one after the other",
      "signer-2 is out: stop it for good",
      "`conclave roster move`",
    ]) {
      expect(said()).toContain(words);
    }
    expect(moveKeys).not.toHaveBeenCalled();
    const before = readFileSync(stateLayout(state).roster, "utf8");
    await run("change");
    expect(readFileSync(stateLayout(state).roster, "utf8")).toBe(before);
    expect(moveKeys).not.toHaveBeenCalled();
  });

  it("a move afterwards ends the change, and names the processes to stop", async () => {
    await run("change", "--remove", "signer-1");
    await run("move");
    expect(moveKeys.mock.calls.map(([records]) => records.state)).toEqual([state]);
    expect(await ids()).toEqual(["signer-2", "signer-3"]);
    expect(await roster()).not.toHaveProperty("change");
    expect(said()).toContain("Then stop signer-1 for good");
    await expect(run("move")).rejects.toThrow("no change of the roster is under way");
  });

  it("a move that fails leaves the change under way, and is done again", async () => {
    await run("change", "--remove", "signer-1");
    moveKeys.mockRejectedValueOnce(new LaunchError("signer-2 does not answer", "Start it."));
    await expect(run("move")).rejects.toThrow("does not answer");
    expect(await ids()).toEqual(["signer-1", "signer-2", "signer-3"]);
    await run("move");
    expect(await ids()).toEqual(["signer-2", "signer-3"]);
  });

  it.each([
    ["a cheat without evidence", ["--cheated", "signer-1"]],
    ["evidence without a cheat", ["--evidence", "x"]],
  ])("INV-9 %s is no command line", async (_, words) => {
    await expect(run("change", ...words)).rejects.toBeInstanceOf(UsageError);
  });

  it.each<[string, readonly string[], string]>([
    ["without options where none is under way", [], "no change of the roster is under way"],
    ["with nothing that changes", ["--threshold", "2"], "no change is asked for"],
    [
      "of a cheat with evidence that is not there",
      ["--cheated", "signer-1", "--evidence", "/nowhere"],
      "ENOENT",
    ],
  ])("INV-9 a change is refused %s", async (_, words, message) => {
    const before = readFileSync(stateLayout(state).roster, "utf8");
    const refused = run("change", ...words);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(LaunchError);
    expect(readFileSync(stateLayout(state).roster, "utf8")).toBe(before);
  });
});

describe("where conclave up runs the cluster", () => {
  let orders: OrderService;
  let table: ProcessTable;
  let steps: string[];
  let applied: () => Promise<void>;
  beforeEach(async () => {
    const { run: folder } = stateLayout(state);
    steps = [];
    applied = async () => undefined;
    table = new ProcessTable(folder);
    await table.acquire();
    orders = await serveOrders(folder, async ({ kind }) => {
      const { change } = await roster();
      steps.push(`${kind} ${change === undefined ? "after" : "under way"}`);
      await applied();
    });
    moveKeys.mockImplementation(async () => void steps.push("move"));
  });
  afterEach(async () => {
    await orders.close();
    table.release();
  });
  const ALL = ["apply-roster under way", "move", "apply-roster after"];

  it("a change restarts processes with the new roster, moves the keys, and restarts them with the final roster", async () => {
    await run("change", "--remove", "signer-1");
    expect(steps).toEqual(ALL);
    expect(await ids()).toEqual(["signer-2", "signer-3"]);
  });

  it.each(["change", "move"])(
    "roster %s takes up a change whose processes did not start again",
    async (command) => {
      applied = () => Promise.reject(new LaunchError("signer-3 did not start", "See its log."));
      await expect(run("change", "--remove", "signer-1")).rejects.toThrow("did not start");
      expect(steps.splice(0)).toEqual(["apply-roster under way"]);
      applied = async () => undefined;
      await run(command);
      expect(steps).toEqual(ALL);
    },
  );

  it("a change that was interrupted before the last start of processes is taken up", async () => {
    await run("change", "--remove", "signer-1");
    steps.length = 0;
    await run("change");
    expect(steps).toEqual(["apply-roster after"]);
    expect(said()).toContain("no change of the roster is under way");
  });
});

describe("roster show", () => {
  it("lists members, threshold, history with reasons, and the change under way", async () => {
    await run("change", "--add", "1", "--lost", "signer-2", "--threshold", "3");
    await run("move");
    await run("change", "--remove", "signer-1", "--threshold", "2");
    const before = said().length;
    await run("show");
    const text = said().slice(before);
    expect(text).toMatch(/^cluster-\w+: 2 of 2 signers sign together/);
    expect(text).toMatch(/signer-1 +1 +signer-1:7000 +leaves/);
    expect(text).toMatch(
      /\d{4}-\d\d-\d\dT[\d:.]+Z {2}signer-4 came; signer-2 was lost; threshold 2 became 3\n/,
    );
    expect(text).toContain("threshold 3 became 2");
    expect(text).toContain("a change is under way; keys of 3 signers or more may not have been moved");
  });

  it("prints the same as JSON", async () => {
    await run("change", "--remove", "signer-1");
    const before = said().length;
    await run("show", "--json");
    expect(JSON.parse(said().slice(before))).toMatchObject({
      threshold: 2,
      signers: [
        { id: "signer-1", isLeaving: true },
        { id: "signer-2", isLeaving: false },
        { id: "signer-3" },
      ],
      history: [{ added: [], removed: [], threshold: { before: 2, after: 2 } }],
      change: { threshold: 2, leaving: ["signer-1"] },
    });
    await run("move");
    const later = said().length;
    await run("show", "--json");
    expect(JSON.parse(said().slice(later))).toMatchObject({
      history: [{}, { removed: [{ id: "signer-1", why: "left" }] }],
      change: null,
    });
  });
});
