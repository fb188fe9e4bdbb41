import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { LaunchError } from "../launch-error.ts";
import { LogFollower, lastLines } from "./log-file.ts";
import { identify, type ProcessIdentity } from "./process-identity.ts";
import { waitUntil } from "./wait-until.ts";

export interface ProcessSpec {
  /** unique in its cluster, such as "signer-1" */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly logFile: string;
  /** the user to run as, if not the current one */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly stopSignal: NodeJS.Signals;
  /** milliseconds to stop; then the process is killed */
  readonly stopDeadlineMs: number;
}

export type ProcessState = "running" | "paused" | "stopping" | "exited";

/** How a process ended, in words such as "by SIGKILL" and "with code 1". */
export const howEnded = ({ code, signal }: Pick<ProcessExit, "code" | "signal">): string =>
  signal === null ? `with code ${code}` : `by ${signal}`;

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** false if the supervisor asked the process to end */
  readonly unexpected: boolean;
}

const LINES_OF_A_DEATH = 12;

/**
 * A child process in its own process group, so that Ctrl-C in the terminal does not reach it before the cluster is
 * stopped in order. It writes its log itself. If the supervisor dies, the process keeps running, and the next start finds
 * it by its identity.
 */
export class SupervisedProcess {
  readonly spec: ProcessSpec;
  readonly identity: ProcessIdentity;
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  readonly #log: LogFollower;
  #state: ProcessState = "running";
  #served = false;

  private constructor(
    spec: ProcessSpec,
    child: ChildProcess,
    identity: ProcessIdentity,
    log: LogFollower,
    exited: Promise<Omit<ProcessExit, "unexpected">>,
  ) {
    this.spec = spec;
    this.#child = child;
    this.identity = identity;
    this.#log = log;
    this.exited = exited.then((exit) => {
      const unexpected = this.#state !== "stopping";
      this.#state = "exited";
      return { ...exit, unexpected };
    });
  }

  /** Starts the process. Rejects with a LaunchError if the command cannot be run. */
  static async start(spec: ProcessSpec): Promise<SupervisedProcess> {
    const offset = existsSync(spec.logFile) ? statSync(spec.logFile).size : 0;
    const descriptor = openSync(spec.logFile, "a", 0o600);
    try {
      const child = spawn(spec.command, spec.args, {
        cwd: spec.cwd,
        env: spec.env,
        detached: true,
        stdio: ["ignore", descriptor, descriptor],
        ...(spec.user ?? {}),
      });
      const exited = new Promise<Omit<ProcessExit, "unexpected">>((resolve) =>
        child.once("exit", (code, signal) => resolve({ code, signal })),
      );
      await new Promise<void>((resolve, reject) => {
        child.once("spawn", resolve);
        child.once("error", (cause) =>
          reject(
            new LaunchError(
              `${spec.name} could not be started: ${cause.message}`,
              `Check that ${spec.command} can be run.`,
            ),
          ),
        );
      });
      const pid = child.pid ?? 0;
      const identity = identify(pid) ?? { pid, began: "gone" };
      return new SupervisedProcess(spec, child, identity, new LogFollower(spec.logFile, offset), exited);
    } finally {
      closeSync(descriptor);
    }
  }

  get name(): string {
    return this.spec.name;
  }

  get state(): ProcessState {
    return this.#state;
  }

  /** Whether the process was ever ready. If it was not, its death is reported only to the caller of `ready`. */
  get served(): boolean {
    return this.#served;
  }

  /** Waits for a condition. Rejects at once, with the last lines of the log in the error, if the process ends first. */
  async ready(
    probe: () => boolean | Promise<boolean>,
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<void> {
    await waitUntil(
      async () => {
        if (this.#state === "exited") throw this.deathReport();
        return (await probe()) ? true : undefined;
      },
      {
        what: `${this.name} to be ready`,
        deadlineMs,
        remedy: `See ${this.spec.logFile}.`,
        ...(signal ? { signal } : {}),
      },
    );
    this.#served = true;
  }

  /** Makes a condition for `ready`: a new line of the log satisfies `matches`. */
  logLine(matches: (line: string) => boolean): () => boolean {
    let seen = false;
    return () => {
      seen ||= this.#log.take().some(matches);
      return seen;
    };
  }

  deathReport(): LaunchError {
    const { exitCode: code, signalCode: signal } = this.#child;
    const tail = lastLines(this.spec.logFile, LINES_OF_A_DEATH).map((line) => `    ${line}`);
    return new LaunchError(
      [`${this.name} ended ${howEnded({ code, signal })}`, ...tail].join("\n"),
      `The whole log is ${this.spec.logFile}.`,
    );
  }

  /** Kills the process with SIGKILL. */
  async kill(): Promise<void> {
    this.#state = this.#state === "exited" ? "exited" : "stopping";
    this.#child.kill("SIGKILL");
    await this.exited;
  }

  /**
   * Pauses the process with SIGSTOP, so that it behaves as on a machine that hangs: connections stay open, and nothing
   * answers.
   */
  pause(): void {
    if (this.#state === "running" && this.#child.kill("SIGSTOP")) this.#state = "paused";
  }

  resume(): void {
    if (this.#state === "paused" && this.#child.kill("SIGCONT")) this.#state = "running";
  }

  /** Asks the process to stop, and kills it at its deadline. Resolves once it has ended. */
  async stop(): Promise<void> {
    if (this.#state === "exited") return;
    this.resume();
    this.#state = "stopping";
    this.#child.kill(this.spec.stopSignal);
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), this.spec.stopDeadlineMs);
    await this.exited;
    clearTimeout(timer);
  }
}
