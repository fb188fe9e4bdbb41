import { prettyFactory } from "pino-pretty";
import { z } from "zod";

/** A line of a process's log. Services write JSON with a time; lines of other processes have no time. */
export interface LogLine {
  readonly process: string;
  readonly text: string;
  readonly time: number | undefined;
}

const timedSchema = z.looseObject({ time: z.union([z.number(), z.iso.datetime()]) });

const timeOf = (text: string): number | undefined => {
  if (!text.startsWith("{")) return undefined;
  try {
    const { success, data } = timedSchema.safeParse(JSON.parse(text));
    return success ? new Date(data.time).getTime() : undefined;
  } catch {
    return undefined;
  }
};

export const lineOf = (process: string, text: string): LogLine => ({ process, text, time: timeOf(text) });

/** The last items of a list, at most so many. */
export const lastOf = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  items.slice(Math.max(0, items.length - most));

/**
 * Makes a function that prints lines to stdout.
 * @param isRaw whether lines are printed exactly as the processes wrote them
 * @param width of the longest name of a process
 */
export const linePrinter = (isRaw: boolean, width: number): ((line: LogLine) => void) => {
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
