import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * A process id with the start time of the process. The system reuses ids, but not such pairs, so the process list of a
 * crashed run never leads to killing an unrelated process.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly began: string;
}

/** index of field 22 of /proc/<pid>/stat among the fields after the command, which may contain spaces and brackets */
const START_TIME_AFTER_COMMAND = 19;
const ZOMBIE = "Z";

const beganOnLinux = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === ZOMBIE ? undefined : fields[START_TIME_AFTER_COMMAND];
  } catch {
    return undefined;
  }
};

const beganByPs = (pid: number): string | undefined => {
  try {
    const text = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return text === "" ? undefined : text;
  } catch {
    return undefined;
  }
};

const began = process.platform === "linux" ? beganOnLinux : beganByPs;

/** Identifies the process with this id; undefined if none runs. */
export const identify = (pid: number): ProcessIdentity | undefined => {
  const moment = began(pid);
  return moment === undefined ? undefined : { pid, began: moment };
};

export const isAlive = (identity: ProcessIdentity): boolean => began(identity.pid) === identity.began;

/** Sends a signal to exactly this process. @returns false if the process has ended */
export const signalProcess = (identity: ProcessIdentity, signal: NodeJS.Signals): boolean => {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch {
    return false;
  }
};
