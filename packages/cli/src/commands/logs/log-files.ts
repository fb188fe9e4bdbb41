import { existsSync, readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { LaunchError, stateLayout } from "@conclave/testbed/launch";
import { absentCluster } from "../../absent-cluster.ts";

const SUFFIX = ".log";
const NEWLINE = 10;
/** Bytes of a file that are held at a time; a longer line is passed over. */
const HELD_BYTES = 262_144;

/** The log of a process. */
export interface LogFile {
  readonly process: string;
  readonly path: string;
}

/**
 * The logs of a cluster's processes.
 * @param state the cluster's folder
 * @param asked such as "gateway"; all when empty
 * @throws LaunchError when there are none, or when no process has such a name
 */
export const logFiles = (state: string, asked: readonly string[]): readonly LogFile[] => {
  const folder = stateLayout(state).logs;
  const known = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(SUFFIX))
        .map((file) => file.slice(0, -SUFFIX.length))
    : [];
  if (known.length === 0) throw absentCluster(state, `there are no logs in ${folder}`);
  const unknown = asked.find((process) => !known.includes(process));
  if (unknown !== undefined)
    throw new LaunchError(`no process is called ${unknown}`, `There are ${known.join(", ")}.`);
  return (asked.length === 0 ? known : asked).map((process) => ({
    process,
    path: join(folder, `${process}${SUFFIX}`),
  }));
};

/** The size of a log in bytes; 0 when it is gone. */
export const sizeOf = ({ path }: LogFile): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Reads the complete lines of a log from a position on, with bounded memory.
 * @param heard receives each line without its end; the bytes are valid during the call alone
 * @returns the position behind the last complete line
 */
export const eachLine = async (
  { path }: LogFile,
  start: number,
  heard: (line: Buffer) => void,
): Promise<number> => {
  const file = await open(path);
  try {
    const held = Buffer.alloc(HELD_BYTES);
    let position = start;
    let kept = 0;
    let isTooLong = false;
    for (;;) {
      const { bytesRead } = await file.read(held, kept, HELD_BYTES - kept, position);
      if (bytesRead === 0) return position - kept;
      position += bytesRead;
      const bytes = held.subarray(0, kept + bytesRead);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        if (!isTooLong && end > from) heard(bytes.subarray(from, end));
        isTooLong = false;
        from = end + 1;
      }
      isTooLong ||= from === 0 && bytes.length === HELD_BYTES;
      held.copyWithin(0, from, bytes.length);
      kept = isTooLong ? 0 : bytes.length - from;
    }
  } finally {
    await file.close();
  }
};
