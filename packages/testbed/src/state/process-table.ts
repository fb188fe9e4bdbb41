import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { identify, isAlive, signalProcess } from "../host/process-identity.ts";
import { typedCommand } from "../host/typed-command.ts";
import { waitUntil } from "../host/wait-until.ts";
import { LaunchError } from "../launch-error.ts";
import { writePrivate } from "./private-file.ts";

const identitySchema = z.object({ pid: z.int().positive(), began: z.string() });
const holderSchema = identitySchema.extend({ doing: z.string().optional() });
/** The process that has a cluster's lock: it runs the cluster, or does something else with its files, as a sentence says. */
type LockHolder = z.infer<typeof holderSchema>;
const entrySchema = identitySchema.extend({ name: z.string() });
export type ProcessEntry = z.infer<typeof entrySchema>;

const endedSchema = z.object({
  name: z.string(),
  /** ISO 8601, UTC */
  at: z.string(),
  /** such as "by SIGKILL" or "with code 1" */
  how: z.string(),
  /** whether an operator, or the end of the cluster, asked it to end */
  isAsked: z.boolean(),
  logFile: z.string(),
});
/** A process of a cluster that has ended, and was not started again. */
export type EndedProcess = z.infer<typeof endedSchema>;

const LOCK = "supervisor.json";
const LIST = "processes.json";
const ENDED = "ended.json";
/** The files of the lock and of the processes, in the folder of a running cluster's files. */
export const LOCK_FILES: readonly string[] = [LOCK, LIST, ENDED];

const KILL_DEADLINE_MS = 10_000;

const readJson = <T>(file: string, schema: z.ZodType<T>): T | undefined => {
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // a crash of the machine can leave an incomplete file, which the next write replaces
    return undefined;
  }
};

/**
 * The supervisor's lock and the list of its processes, on disk. Both survive a crash; the next start notices that the
 * supervisor is dead, and ends the processes that still run.
 */
export class ProcessTable {
  readonly #lockFile: string;
  readonly #listFile: string;
  readonly #endedFile: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#lockFile = join(folder, LOCK);
    this.#listFile = join(folder, LIST);
    this.#endedFile = join(folder, ENDED);
  }

  /** Returns the live supervisor, if there is one. */
  supervisor(): LockHolder | undefined {
    const holder = readJson(this.#lockFile, holderSchema);
    return holder !== undefined && isAlive(holder) ? holder : undefined;
  }

  /** Returns the recorded processes that still run. */
  alive(): readonly ProcessEntry[] {
    return (readJson(this.#listFile, z.array(entrySchema)) ?? []).filter(isAlive);
  }

  /** Returns the recorded processes that have ended, in the order of their names. */
  ended(): readonly EndedProcess[] {
    return readJson(this.#endedFile, z.array(endedSchema)) ?? [];
  }

  record(entries: readonly ProcessEntry[], ended: readonly EndedProcess[] = []): void {
    writePrivate(this.#listFile, JSON.stringify(entries, undefined, 2));
    writePrivate(this.#endedFile, JSON.stringify(ended, undefined, 2));
  }

  /**
   * Takes the lock for this process, and ends the processes that a crashed supervisor left.
   * @param doing a sentence about the work that needs the lock; undefined for running the cluster
   * @returns the names of the ended processes. Rejects with a LaunchError if another supervisor is live.
   */
  async acquire(doing?: string): Promise<readonly string[]> {
    // other users may enter the parent folder, because PostgreSQL may run as another user below it
    mkdirSync(dirname(this.#folder), { recursive: true, mode: 0o755 });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const own = identify(process.pid);
    if (own === undefined) throw new Error("this process has no identity");
    this.#claim(JSON.stringify({ ...own, doing }));
    return this.endLeftovers();
  }

  #claim(content: string): void {
    const holder = this.supervisor();
    if (holder !== undefined) throw alreadyRunning(holder);
    rmSync(this.#lockFile, { force: true });
    try {
      writeFileSync(this.#lockFile, content, { flag: "wx", mode: 0o600 });
    } catch {
      // of two simultaneous starts, the one that created the file has the lock
      throw alreadyRunning(this.supervisor() ?? { pid: 0, began: "" });
    }
  }

  /** Kills every recorded process that still runs, and waits until they have ended. */
  async endLeftovers(): Promise<readonly string[]> {
    const left = this.alive();
    for (const entry of left) signalProcess(entry, "SIGCONT");
    for (const entry of left) signalProcess(entry, "SIGKILL");
    await waitUntil(() => (left.some(isAlive) ? undefined : true), {
      what: `the processes of a crashed run to end (${left.map(({ pid }) => pid).join(", ")})`,
      deadlineMs: KILL_DEADLINE_MS,
    });
    rmSync(this.#listFile, { force: true });
    return left.map(({ name }) => name);
  }

  release(): void {
    rmSync(this.#listFile, { force: true });
    rmSync(this.#endedFile, { force: true });
    rmSync(this.#lockFile, { force: true });
  }
}

/** The refusal of a command while another one works on the files of a cluster; undefined if the cluster runs. */
export const otherWork = ({ pid, doing }: LockHolder): LaunchError | undefined =>
  doing === undefined ? undefined : new LaunchError(`${doing} (process ${pid})`, "Wait for its end.");

const alreadyRunning = (holder: LockHolder): LaunchError =>
  otherWork(holder) ??
  new LaunchError(
    `this cluster is already running (process ${holder.pid})`,
    `\`${typedCommand("status")}\` shows it, \`${typedCommand("down")}\` stops it.`,
  );
