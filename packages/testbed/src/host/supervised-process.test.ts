import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { isAlive } from "./process-identity.ts";
import { type ProcessSpec, SupervisedProcess } from "./supervised-process.ts";

const DEADLINE_MS = 10_000;
const STAY = "setInterval(() => {}, 1000);";

const spec = (script: string, stopDeadlineMs = DEADLINE_MS): ProcessSpec => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-process-"));
  return {
    name: "child",
    command: process.execPath,
    args: ["-e", script],
    env: { PATH: process.env["PATH"] ?? "" },
    cwd: folder,
    logFile: join(folder, "child.log"),
    stopSignal: "SIGTERM",
    stopDeadlineMs,
  };
};

const startReady = async (script: string, stopDeadlineMs?: number): Promise<SupervisedProcess> => {
  const child = await SupervisedProcess.start(spec(script, stopDeadlineMs));
  await child.ready(
    child.logLine((line) => line === "here"),
    DEADLINE_MS,
  );
  return child;
};

it("is ready once its log says so, and gone once it has been stopped", async () => {
  const child = await startReady(`console.log("here"); ${STAY}`);
  expect(isAlive(child.identity)).toBe(true);
  await child.stop();
  expect(child.state).toBe("exited");
  expect(isAlive(child.identity)).toBe(false);
});

it("is killed when it does not stop by its deadline", async () => {
  const child = await startReady(`process.on("SIGTERM", () => {}); console.log("here"); ${STAY}`, 50);
  await child.stop();
  expect(await child.exited).toMatchObject({ signal: "SIGKILL", unexpected: false });
});

it("that dies before it is ready ends the wait with the last lines of its log and a remedy", async () => {
  const child = await SupervisedProcess.start(spec(`console.error("no disk"); process.exitCode = 3`));
  const failure = await child.ready(() => false, DEADLINE_MS).catch((cause: unknown) => cause);
  expect(failure).toBeInstanceOf(LaunchError);
  expect(failure).toHaveProperty("message", expect.stringMatching(/code 3[\s\S]*no disk/));
});

it("whose command does not exist is a LaunchError, not a crash of ours", async () => {
  const failure = SupervisedProcess.start({ ...spec(""), command: "/nowhere/at/all" });
  await expect(failure).rejects.toThrow(LaunchError);
});

it("that ends by itself has ended unexpectedly", async () => {
  const child = await SupervisedProcess.start(spec(""));
  expect(await child.exited).toMatchObject({ code: 0, unexpected: true });
});

it("that was paused is resumed in order to be stopped", async () => {
  const child = await startReady(`console.log("here"); ${STAY}`);
  child.pause();
  expect(child.state).toBe("paused");
  await child.stop();
  expect(await child.exited).toMatchObject({ signal: "SIGTERM" });
});
