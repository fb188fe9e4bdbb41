import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { copyStanding } from "./standing-still.ts";

/** Writes increasing numbers into two files, always the second file first, so that the first is never ahead. */
const WRITER = `
  const { openSync, writeSync } = require("node:fs");
  const files = ["second", "first"].map((name) => openSync(name, "w"));
  process.stdout.write("writes");
  for (let at = 0; ; at += 1) for (const file of files) writeSync(file, String(at).padStart(12, "0"), 0);
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-standing-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type State = "running" | "paused" | "stopping" | "exited";

it("copies what a process writes as it is at one moment, and lets it go on", async () => {
  const written = join(folder, "written");
  mkdirSync(written);
  const writer = spawn(process.execPath, ["-e", WRITER], {
    cwd: written,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(writer.stdout, "data");
  let state: State = "running";
  const processes = {
    status: () => [{ name: "writer", state, pid: writer.pid ?? 0 }],
    pause: () => {
      state = writer.kill("SIGSTOP") ? "paused" : state;
    },
    resume: () => {
      state = writer.kill("SIGCONT") ? "running" : state;
    },
  };
  try {
    const numbers = [];
    for (let copy = 0; copy < 20; copy += 1) {
      const to = join(folder, String(copy));
      expect(copyStanding(processes, "writer", written, to)).toBe(true);
      expect(state).toBe("running");
      const [first = 0, second = 0] = ["first", "second"].map((name) => Number(readFileSync(join(to, name))));
      expect([0, 1]).toContain(second - first);
      numbers.push(second);
    }
    expect(numbers.at(-1)).toBeGreaterThan(numbers[0] ?? Number.POSITIVE_INFINITY);
  } finally {
    writer.kill("SIGKILL");
  }
});

it("copies nothing of a process that is being stopped, and resumes none that it did not pause", () => {
  const done: string[] = [];
  const processes = (state: State) => ({
    status: () => [{ name: "signer-1", state, pid: 0 }],
    pause: () => void done.push("pause"),
    resume: () => void done.push("resume"),
  });
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  mkdirSync(from);
  expect(copyStanding(processes("stopping"), "signer-1", from, to)).toBe(false);
  expect(copyStanding(processes("paused"), "signer-1", from, to)).toBe(true);
  expect(copyStanding(processes("exited"), "signer-1", from, to)).toBe(true);
  expect(copyStanding(processes("running"), "signer-2", from, to)).toBe(false);
  expect(done).toEqual([]);
});
