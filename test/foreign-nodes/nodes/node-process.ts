import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "@conclave/testbed";

const START_MS = 600_000;
const STOP_MS = 20_000;
const POLL_MS = 100;
const LAST_WORDS = 2_000;

/** The process of a node; stopping it removes its temporary folder. */
export interface NodeProcess {
  readonly folder: string;
  stop(): Promise<void>;
}

/** A new temporary folder for a node's files. */
export const nodeFolder = (name: string): string => mkdtempSync(join(tmpdir(), `conclave-foreign-${name}-`));

interface Launch {
  readonly name: string;
  /** absolute path of an empty folder, removed when the process is stopped */
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** whether the node already answers */
  readonly answers: () => Promise<boolean>;
}

const ENDS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const running = new Set<() => void>();
const endEverything = (): void => {
  for (const end of running) end();
  running.clear();
};
// an interrupted run ends the processes that it started
process.on("exit", endEverything);
process.on("disconnect", endEverything);
for (const signal of ENDS) {
  process.once(signal, () => {
    endEverything();
    process.kill(process.pid, signal);
  });
}

/** Starts a node and resolves once it answers. @throws Error with the end of its log if it exits or never answers */
export const startNodeProcess = async (launch: Launch): Promise<NodeProcess> => {
  const { name, folder, command, args, env = {}, answers } = launch;
  const logFile = join(folder, "node.log");
  const log = createWriteStream(logFile);
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: "pipe" });
  child.stdin.end();
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const failed: { cause?: Error } = {};
  child.on("error", (cause) => {
    failed.cause = cause;
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = (): void => void child.kill("SIGKILL");
  const forget = (): void => rmSync(folder, { recursive: true, force: true });
  const end = (): void => {
    kill();
    forget();
  };
  running.add(end);
  const stop = async (): Promise<void> => {
    running.delete(end);
    if (!hasEnded() && failed.cause === undefined) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const late = setTimeout(kill, STOP_MS);
      await ended;
      clearTimeout(late);
    }
    forget();
  };
  const lastWords = (): string => readFileSync(logFile, "utf8").slice(-LAST_WORDS);
  try {
    await waitUntil(
      async () => {
        if (failed.cause !== undefined) throw failed.cause;
        if (hasEnded()) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}`);
        return (await answers().catch(() => false)) ? true : undefined;
      },
      { what: `an answer of ${name}`, deadlineMs: START_MS, pollMs: POLL_MS },
    );
  } catch (cause) {
    const words = lastWords();
    await stop();
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}; its log ends: ${words}`);
  }
  return { folder, stop };
};
