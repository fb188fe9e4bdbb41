import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { LaunchError, stateLayout } from "@conclave/testbed/launch";
import { prettyFactory } from "pino-pretty";
import { z } from "zod";

const SUFFIX = ".log";
/** How often growing files are checked. */
const LOOK_MS = 200;
const NEWLINE = 10;

export interface LogsAsked {
  /** such as "gateway" or "signer-1"; all when empty */
  readonly processes: readonly string[];
  /** lines of each process, from the end of its log */
  readonly lines: number;
  readonly follow: boolean;
  /** prints lines exactly as the processes wrote them */
  readonly json: boolean;
}

/** A line of a process's log. Services write JSON with a time; lines of other processes have no time. */
interface LogLine {
  readonly process: string;
  readonly text: string;
  readonly time: number | undefined;
}

const timedSchema = z.looseObject({ time: z.union([z.number(), z.iso.datetime()]) });

const lineOf = (process: string, text: string): LogLine => {
  const time = timeOf(text);
  return { process, text, time };
};

const timeOf = (text: string): number | undefined => {
  if (!text.startsWith("{")) return undefined;
  try {
    const { success, data } = timedSchema.safeParse(JSON.parse(text));
    return success ? new Date(data.time).getTime() : undefined;
  } catch {
    return undefined;
  }
};

/**
 * `conclave logs`: prints the last lines of a cluster's processes in order of time, and then follows new lines until the
 * signal aborts.
 */
export const logs = async (state: string, asked: LogsAsked, stop: () => AbortSignal): Promise<void> => {
  const folder = stateLayout(state).logs;
  const processes = processesOf(folder, asked.processes);
  const print = printer(asked.json, Math.max(...processes.map((name) => name.length)));
  const read = processes.map((process) => {
    const path = join(folder, `${process}${SUFFIX}`);
    const content = readFileSync(path);
    const lines = linesOf(content.toString("utf8")).slice(-asked.lines);
    return {
      log: { process, path, read: content.length },
      lines: lines.map((line) => lineOf(process, line)),
    };
  });
  for (const line of byTime(read.flatMap(({ lines }) => lines))) print(line);
  if (asked.follow)
    await follow(
      read.map(({ log }) => log),
      print,
      stop(),
    );
};

const processesOf = (folder: string, asked: readonly string[]): readonly string[] => {
  const known = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(SUFFIX))
        .map((file) => file.slice(0, -SUFFIX.length))
    : [];
  if (known.length === 0)
    throw new LaunchError(`there are no logs in ${folder}`, "Start a cluster with make up.");
  const unknown = asked.find((process) => !known.includes(process));
  if (unknown === undefined) return asked.length === 0 ? known : asked;
  throw new LaunchError(`no process is called ${unknown}`, `There are ${known.join(", ")}.`);
};

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** A line without a time stays behind the line before it. */
const byTime = (lines: readonly LogLine[]): readonly LogLine[] => {
  let latest = 0;
  const timed = lines.map((line, at) => {
    if (lines[at - 1]?.process !== line.process) latest = 0;
    latest = line.time ?? latest;
    return { line, time: latest };
  });
  return timed.sort((a, b) => a.time - b.time).map(({ line }) => line);
};

const printer = (isRaw: boolean, width: number): ((line: LogLine) => void) => {
  const pretty = prettyFactory({
    colorize: process.stdout.isTTY,
    translateTime: "SYS:HH:MM:ss.l",
    ignore: "pid,hostname,name,service",
    singleLine: true,
  });
  return (line) => {
    const text = isRaw || line.time === undefined ? line.text : pretty(line.text).trimEnd();
    process.stdout.write(isRaw ? `${text}\n` : `${line.process.padEnd(width)}  ${text}\n`);
  };
};

/** A log, and how many bytes of it are printed. */
interface ReadLog {
  readonly process: string;
  readonly path: string;
  readonly read: number;
}

const follow = async (
  logs: readonly ReadLog[],
  print: (line: LogLine) => void,
  signal: AbortSignal,
): Promise<void> => {
  let known = logs;
  while (!signal.aborted) {
    known = await Promise.all(known.map((log) => printAdded(log, print)));
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
};

/**
 * Prints complete lines that were added to a log. A log that is shorter than before was truncated, and is read from its
 * start.
 */
const printAdded = async (log: ReadLog, print: (line: LogLine) => void): Promise<ReadLog> => {
  const size = statSync(log.path, { throwIfNoEntry: false })?.size ?? 0;
  const start = size < log.read ? 0 : log.read;
  if (size === start) return { ...log, read: start };
  const added = await buffer(createReadStream(log.path, { start, end: size - 1 }));
  const whole = added.lastIndexOf(NEWLINE) + 1;
  for (const line of linesOf(added.subarray(0, whole).toString("utf8"))) print(lineOf(log.process, line));
  return { ...log, read: start + whole };
};
