import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import type { Cluster } from "@conclave/testbed";

type Processes = Pick<Cluster, "status" | "pause" | "resume">;

/** Until the threads of a paused process stand still: one that waits for its disk goes on until it has it. */
const STILL_MS = 2_000;
const LOOK_AGAIN_MS = 1;
/** Stopped, traced, or ended. */
const STANDS = /^[TtZX]/;

const doesStand = (pid: number): boolean => {
  // where nothing tells of processes, there are none to wait for
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

/** Without giving way to anything else: another fault would resume the process. */
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
 * Copies a folder that a process writes while that process stands still, so that the copy is what a kill -9 would leave at that moment.
 * @returns false when it does not stand still, because it is being stopped or waits for its disk; then nothing is copied
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
