import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import type { Cluster } from "@conclave/testbed";

type Processes = Pick<Cluster, "status" | "pause" | "resume">;

/** Longest wait for a paused process's threads to stop; a thread that waits for its disk runs on until then. */
const STILL_MS = 2_000;
const LOOK_AGAIN_MS = 1;
/** Thread states: stopped, traced, or ended. */
const STANDS = /^[TtZX]/;

const doesStand = (pid: number): boolean => {
  // on systems without /proc, this cannot be checked
  if (!existsSync(`/proc/${pid}`)) return true;
  try {
    return readdirSync(`/proc/${pid}/task`).every((task) => {
      const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8");
      return STANDS.test(stat.slice(stat.lastIndexOf(")") + 2));
    });
  } catch {
    return false; // a thread has ended meanwhile
  }
};

/** Waits synchronously: if other code ran, another fault could resume the process. */
const standsInTime = (pid: number): boolean => {
  const deadline = performance.now() + STILL_MS;
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  while (!doesStand(pid)) {
    if (performance.now() > deadline) return false;
    Atomics.wait(nobody, 0, 0, LOOK_AGAIN_MS);
  }
  return true;
};

/**
 * Copies a folder while the process that writes it is paused, so that the copy is what a kill -9 would leave at that moment.
 * @returns false if the process does not pause in time, because it is being stopped or waits for its disk; then nothing is
 * copied
 */
export const copyStanding = (processes: Processes, name: string, from: string, to: string): boolean => {
  const process = processes.status().find((one) => one.name === name);
  if (process === undefined || process.state === "stopping") return false;
  const isRunning = process.state === "running";
  if (isRunning) processes.pause(name);
  try {
    if (isRunning && !standsInTime(process.pid)) return false;
    cpSync(from, to, { recursive: true });
    return true;
  } finally {
    if (isRunning) processes.resume(name);
  }
};
