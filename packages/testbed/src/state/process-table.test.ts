import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { identify, isAlive } from "../host/process-identity.ts";
import { LaunchError } from "../launch-error.ts";
import { ProcessTable } from "./process-table.ts";

const runFolder = (): string => {
  const folder = join(mkdtempSync(join(tmpdir(), "conclave-table-")), "run");
  mkdirSync(folder);
  return folder;
};

const startSleeper = async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await new Promise((resolve) => child.once("spawn", resolve));
  const identity = identify(child.pid ?? 0);
  if (identity === undefined) throw new Error("the child has no identity");
  return { name: "signer-1", ...identity };
};

it("a cluster that runs is not started twice", async () => {
  const folder = runFolder();
  await new ProcessTable(folder).acquire();
  await expect(new ProcessTable(folder).acquire()).rejects.toThrow(LaunchError);
});

it("the lock of a dead supervisor is taken over, and what it left running is ended", async () => {
  const folder = runFolder();
  const left = await startSleeper();
  new ProcessTable(folder).record([left]);
  writeFileSync(join(folder, "supervisor.json"), JSON.stringify({ pid: 2 ** 22 - 1, began: "long ago" }));
  expect(await new ProcessTable(folder).acquire()).toEqual(["signer-1"]);
  expect(isAlive(left)).toBe(false);
});

it("a stranger that got the process id of a crashed run's process lives on", async () => {
  const folder = runFolder();
  const stranger = await startSleeper();
  const table = new ProcessTable(folder);
  table.record([{ ...stranger, began: "another moment" }]);
  expect(await table.endLeftovers()).toEqual([]);
  expect(isAlive(stranger)).toBe(true);
  process.kill(stranger.pid, "SIGKILL");
});

it("a list that a crash left half-written counts as none", async () => {
  const folder = runFolder();
  writeFileSync(join(folder, "processes.json"), '[{"name":"signer-1","pi');
  expect(await new ProcessTable(folder).acquire()).toEqual([]);
});

it("a stop leaves no lock behind", async () => {
  const folder = runFolder();
  const table = new ProcessTable(folder);
  await table.acquire();
  expect(JSON.parse(readFileSync(join(folder, "supervisor.json"), "utf8"))).toMatchObject({
    pid: process.pid,
  });
  table.release();
  expect(existsSync(join(folder, "supervisor.json"))).toBe(false);
});
