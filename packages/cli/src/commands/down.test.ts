import { rmSync } from "node:fs";
import { ProcessTable, stateLayout } from "@conclave/testbed/launch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { clusterFolder } from "../cluster-folder.ts";
import { saidTo } from "../testing/said.ts";
import { down } from "./down.ts";
import { reset } from "./reset.ts";
import { showRunning } from "./show-ready.ts";
import { status } from "./status.ts";

const NAME = `copied-${process.pid}`;
const DOING = `the snapshot first of ${NAME} is being taken`;
const said = saidTo("stdout");

// this process has the lock: a signal to it would end the test
const table = new ProcessTable(stateLayout(clusterFolder(NAME)).run);
beforeEach(() => table.acquire(DOING));
afterEach(() => {
  table.release();
  rmSync(clusterFolder(NAME), { recursive: true, force: true });
});

it("leaves a snapshot that is under way alone, and names it; so do a reset and a start", async () => {
  const refusal = { message: `${DOING} (process ${process.pid})`, remedy: "Wait for its end." };
  await expect(down(NAME)).rejects.toMatchObject(refusal);
  await expect(reset(NAME, true)).rejects.toMatchObject(refusal);
  await expect(showRunning(clusterFolder(NAME), { json: false })).rejects.toMatchObject(refusal);
  expect(table.supervisor()).toMatchObject({ pid: process.pid });
});

it("status says that it does not run, and names the snapshot", async () => {
  expect(await status(NAME, false)).toBe(3);
  expect(said()).toBe(`${NAME} does not run; ${DOING} (process ${process.pid})\n`);
});
