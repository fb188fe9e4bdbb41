import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Linux counts the CPU of processes in hundredths of a second on all current machines. */
const TICKS_PER_SECOND = 100;

/** The resource usage of a process, from the operating system. */
export interface Usage {
  readonly residentMb: number;
  /** the maximum so far; known on Linux only */
  readonly peakMb: number | undefined;
  readonly cpuSeconds: number;
}

const kilobytes = (status: string, name: string): number | undefined => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return found === undefined ? undefined : Number(found) / 1024;
};

const linuxUsage = (pid: number): Usage => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // the name, in parentheses, may contain spaces; user and system time are the 12th and 13th field after it
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    residentMb: kilobytes(status, "VmRSS") ?? 0,
    peakMb: kilobytes(status, "VmHWM"),
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
  };
};

/** Converts "1-02:03:04.05" and shorter forms to seconds. */
export const clockSeconds = (text: string): number => {
  const [days, clock] = text.includes("-") ? text.split("-", 2) : ["0", text];
  const seconds = (clock ?? "0").split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
  return 86_400 * Number(days) + seconds;
};

const psUsage = (pid: number): Usage => {
  const line = execFileSync("ps", ["-o", "rss=,time=", "-p", String(pid)], { encoding: "utf8" }).trim();
  const [rss, time] = line.split(/\s+/, 2);
  return { residentMb: Number(rss) / 1024, peakMb: undefined, cpuSeconds: clockSeconds(time ?? "0") };
};

const isLinux = process.platform === "linux";

/** Reads the resident memory and CPU of one process, all its threads included, its children not. */
export const usageOf = (pid: number): Usage => (isLinux ? linuxUsage(pid) : psUsage(pid));

const parentOf = (pid: number): number => {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // it ended between the listing and the reading
  }
};

/** Lists the child processes of a process; none where there is no /proc. */
export const childrenOf = (pid: number): readonly number[] =>
  isLinux
    ? readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .filter((candidate) => parentOf(candidate) === pid)
    : [];

/**
 * Sums the CPU seconds that processes used between two measurements, each of which maps process ids to CPU seconds. Processes
 * that ended in between are left out, because their final usage is unknown.
 */
export const cpuSince = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
