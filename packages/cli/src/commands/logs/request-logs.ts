import { setTimeout as delay } from "node:timers/promises";
import { LaunchError } from "@conclave/testbed/launch";
import { note } from "../../client/print.ts";
import { eachLine, type LogFile, logFiles, sizeOf } from "./log-files.ts";
import { type LogLine, lastOf, lineOf, linePrinter } from "./log-line.ts";
import { RequestTrail } from "./request-trail.ts";

/** How often growing files are checked. */
const LOOK_MS = 200;

export interface RequestAsked {
  /** the id of a request, or another that log lines carry */
  readonly request: string;
  /** such as "gateway" or "signer-1": whose lines are printed; all when empty */
  readonly processes: readonly string[];
  /** how many lines are printed at most, the last ones */
  readonly lines: number;
  readonly follow: boolean;
  /** prints lines exactly as the processes wrote them */
  readonly json: boolean;
}

/** A line, and the time by which it is sorted: its own, or else that of the line before it. */
interface PlacedLine {
  readonly line: LogLine;
  readonly time: number;
}

/** The last lines of a request, by time, and how many there are of it. */
interface Found {
  readonly last: readonly PlacedLine[];
  readonly count: number;
}

/**
 * `conclave logs --request`: prints all lines of all processes about one request, in order of time, and then follows new
 * ones until the signal aborts. Each log is read twice: first for the request's sessions, then for the lines.
 * @throws LaunchError when no line is about it, unless new lines are followed
 */
export const requestLogs = async (
  state: string,
  asked: RequestAsked,
  stop: () => AbortSignal,
): Promise<void> => {
  const width = Math.max(...logFiles(state, asked.processes).map(({ process }) => process.length));
  const print = linePrinter(asked.json, width);
  const trail = new RequestTrail(asked.request);
  const read = new Map<string, number>();
  const printNew = async (): Promise<number> => {
    const { last, count } = await foundNow(trail, state, asked, read);
    if (count > last.length)
      note(`${count - last.length} earlier lines are left out; --lines says how many are shown`);
    for (const { line } of last) print(line);
    return count;
  };
  const count = await printNew();
  if (count === 0 && !asked.follow) {
    throw new LaunchError(
      `no log line of this cluster names ${asked.request}`,
      "Check the id, and that it is of this cluster: `--name` names another.",
    );
  }
  if (!asked.follow) return;
  if (count === 0) note(`no line names ${asked.request} yet; waits for one`);
  const signal = stop();
  while (!signal.aborted) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    await printNew();
  }
};

/** @param read how far each log has been read; it is moved to the end of what is read now */
const foundNow = async (
  trail: RequestTrail,
  state: string,
  { processes, lines }: RequestAsked,
  read: Map<string, number>,
): Promise<Found> => {
  const files = logFiles(state, []).filter((file) => {
    // a log that is shorter than before was begun again
    if (sizeOf(file) < (read.get(file.process) ?? 0)) read.delete(file.process);
    return sizeOf(file) > (read.get(file.process) ?? 0);
  });
  const startOf = ({ process }: LogFile): number => read.get(process) ?? 0;
  for (const file of files) await eachLine(file, startOf(file), (line) => void trail.link(line));
  let found: Found = { last: [], count: 0 };
  for (const file of files) {
    const { placed, count, end } = await placedLines(trail, file, startOf(file), lines);
    read.set(file.process, end);
    if (processes.length > 0 && !processes.includes(file.process)) continue;
    const byTime = [...found.last, ...placed].sort((a, b) => a.time - b.time);
    found = { last: lastOf(byTime, lines), count: found.count + count };
  }
  return found;
};

/** @param most how many lines are kept, the last ones */
const placedLines = async (trail: RequestTrail, file: LogFile, start: number, most: number) => {
  const placed: PlacedLine[] = [];
  let count = 0;
  let time = 0;
  const end = await eachLine(file, start, (bytes) => {
    if (!trail.covers(bytes)) return;
    const line = lineOf(file.process, bytes.toString("utf8"));
    time = line.time ?? time;
    placed.push({ line, time });
    count += 1;
    if (placed.length >= 2 * most) placed.splice(0, placed.length - most);
  });
  return { placed: lastOf(placed, most), count, end };
};
