import { createReadStream, readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { type LogFile, logFiles, sizeOf } from "./log-files.ts";
import { type LogLine, lastOf, lineOf, linePrinter } from "./log-line.ts";

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

/**
 * `conclave logs`: prints the last lines of a cluster's processes in order of time, and then follows new lines until the
 * signal aborts.
 */
export const logs = async (state: string, asked: LogsAsked, stop: () => AbortSignal): Promise<void> => {
  const files = logFiles(state, asked.processes);
  const print = linePrinter(asked.json, Math.max(...files.map(({ process }) => process.length)));
  const read = files.map(({ process, path }) => {
    const content = readFileSync(path);
    const lines = lastOf(linesOf(content.toString("utf8")), asked.lines);
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

/** A log, and how many bytes of it are printed. */
interface ReadLog extends LogFile {
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
  const size = sizeOf(log);
  const start = size < log.read ? 0 : log.read;
  if (size === start) return { ...log, read: start };
  const added = await buffer(createReadStream(log.path, { start, end: size - 1 }));
  const whole = added.lastIndexOf(NEWLINE) + 1;
  for (const line of linesOf(added.subarray(0, whole).toString("utf8"))) print(lineOf(log.process, line));
  return { ...log, read: start + whole };
};
