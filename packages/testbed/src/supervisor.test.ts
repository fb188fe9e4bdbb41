import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProcessSpec } from "./host/supervised-process.ts";
import { LaunchError } from "./launch-error.ts";
import { ProcessTable } from "./state/process-table.ts";
import { Supervisor } from "./supervisor.ts";

let folder: string;
let table: ProcessTable;
let supervisor: Supervisor;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "conclave-supervisor-"));
  table = new ProcessTable(folder);
  await table.acquire();
  supervisor = new Supervisor(table, () => undefined);
});
afterEach(() => {
  table.release();
  rmSync(folder, { recursive: true });
});

const idle = (name: string): ProcessSpec => ({
  name,
  command: process.execPath,
  args: ["-e", "setInterval(() => undefined, 1000)"],
  env: {},
  cwd: folder,
  logFile: join(folder, `${name}.log`),
  stopSignal: "SIGTERM",
  stopDeadlineMs: 5_000,
});

test("a process that is being started when everything is stopped is stopped too, and nothing is started after it", async () => {
  const late = supervisor.start(idle("late"));
  supervisor.close();
  await supervisor.stop(supervisor.names());
  await expect(late).rejects.toThrow(LaunchError);
  expect(supervisor.status()).toMatchObject([{ name: "late", state: "exited" }]);
  await expect(supervisor.start(idle("later"))).rejects.toThrow("the cluster is being stopped");
  expect(table.alive()).toEqual([]);
});

test("the table keeps a process that has ended, with its end and whether it was asked to, until it is started again", async () => {
  const [killed, stopped] = [await supervisor.start(idle("killed")), await supervisor.start(idle("stopped"))];
  process.kill(killed.identity.pid, "SIGKILL");
  await Promise.all([killed.exited, stopped.stop()]);
  expect(table.ended()).toEqual([
    {
      name: "killed",
      at: expect.any(String),
      how: "by SIGKILL",
      isAsked: false,
      logFile: killed.spec.logFile,
    },
    {
      name: "stopped",
      at: expect.any(String),
      how: "by SIGTERM",
      isAsked: true,
      logFile: stopped.spec.logFile,
    },
  ]);
  await supervisor.start(idle("killed"));
  await supervisor.forget("stopped");
  expect(table.ended()).toEqual([]);
  await supervisor.stop(["killed"]);
});
