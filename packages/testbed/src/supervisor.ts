import {
  howEnded,
  type ProcessExit,
  type ProcessSpec,
  SupervisedProcess,
} from "./host/supervised-process.ts";
import { LaunchError } from "./launch-error.ts";
import type { OnProgress } from "./progress.ts";
import type { EndedProcess, ProcessTable } from "./state/process-table.ts";

export interface ProcessStatus {
  readonly name: string;
  readonly state: "running" | "paused" | "stopping" | "exited";
  readonly pid: number;
}

/**
 * Starts processes and records them on disk, so that a later run can clean up after a crash of this process. It restarts
 * nothing by itself, because people use it to see how a cluster behaves without a signer.
 */
export class Supervisor {
  readonly #table: ProcessTable;
  readonly #onProgress: OnProgress;
  readonly #processes = new Map<string, SupervisedProcess>();
  /** by name, those that have ended and were not started again */
  readonly #ended = new Map<string, EndedProcess>();
  #isClosed = false;
  /** Called when a process ends that the supervisor did not stop. */
  onDeath: ((report: LaunchError, name: string) => void) | undefined;

  constructor(table: ProcessTable, onProgress: OnProgress) {
    this.#table = table;
    this.#onProgress = onProgress;
  }

  /**
   * Starts a process; no process of this name may be running. Rejects with a LaunchError.
   */
  async start(spec: ProcessSpec): Promise<SupervisedProcess> {
    this.#mustBeOpen();
    const before = this.#processes.get(spec.name);
    if (before !== undefined && before.state !== "exited") throw new Error(`${spec.name} runs already`);
    this.#onProgress({ kind: "process", name: spec.name, state: "starting", text: `${spec.name} starts` });
    const started = await SupervisedProcess.start(spec);
    this.#processes.set(spec.name, started);
    this.#ended.delete(spec.name);
    this.#record();
    if (this.#isClosed) await started.stop();
    this.#mustBeOpen();
    void started.exited.then((exit) => {
      this.#noteEnd(started, exit);
      if (!exit.unexpected || !started.served) return;
      const report = started.deathReport();
      this.#onProgress({ kind: "exit", name: spec.name, text: `${report.message}\n${report.remedy}` });
      this.onDeath?.(report, spec.name);
    });
    return started;
  }

  /** Returns the process of this name, running or not. If there is none, throws a LaunchError that lists the names. */
  process(name: string): SupervisedProcess {
    const found = this.#processes.get(name);
    if (found !== undefined) return found;
    throw new LaunchError(
      `there is no process ${name}`,
      `There are ${[...this.#processes.keys()].join(", ")}.`,
    );
  }

  status(): readonly ProcessStatus[] {
    return [...this.#processes.values()].map(({ name, state, identity }) => ({
      name,
      state,
      pid: identity.pid,
    }));
  }

  /** Prevents further starts. A process that is just being started is ended as soon as it runs. */
  close(): void {
    this.#isClosed = true;
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new LaunchError("the cluster is being stopped", "Start it again.");
  }

  /** Stops the named processes in parallel; unknown and ended ones are ignored. */
  async stop(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#processes.get(name)?.stop()));
  }

  /** Stops a process, and removes it from the list. */
  async forget(name: string): Promise<void> {
    await this.stop([name]);
    this.#processes.delete(name);
    this.#ended.delete(name);
    this.#record();
  }

  names(): readonly string[] {
    return [...this.#processes.keys()];
  }

  #noteEnd(process: SupervisedProcess, exit: ProcessExit): void {
    const { name, spec } = process;
    const [at, { logFile }] = [new Date().toISOString(), spec];
    if (this.#processes.get(name) === process)
      this.#ended.set(name, { name, at, how: howEnded(exit), isAsked: !exit.unexpected, logFile });
    this.#record();
  }

  #record(): void {
    const running = [...this.#processes.values()].filter(({ state }) => state !== "exited");
    const ended = [...this.#ended.values()].sort((one, other) => one.name.localeCompare(other.name));
    this.#table.record(
      running.map(({ name, identity }) => ({ name, ...identity })),
      ended,
    );
  }
}
