import { type ProcessSpec, SupervisedProcess } from "./host/supervised-process.ts";
import { LaunchError } from "./launch-error.ts";
import type { OnProgress } from "./progress.ts";
import type { ProcessTable } from "./state/process-table.ts";

export interface ProcessStatus {
  readonly name: string;
  readonly state: "running" | "paused" | "stopping" | "exited";
  readonly pid: number;
}

/**
 * Starts processes, knows which run, and writes that down so that a later run can clean up after a crash of ours.
 * Nothing is restarted on its own: what a dead signer does to a cluster is what people come here to see.
 */
export class Supervisor {
  readonly #table: ProcessTable;
  readonly #onProgress: OnProgress;
  readonly #processes = new Map<string, SupervisedProcess>();
  #isClosed = false;
  /** hears of the death of a process that nobody asked to end */
  onDeath: ((report: LaunchError) => void) | undefined;

  constructor(table: ProcessTable, onProgress: OnProgress) {
    this.#table = table;
    this.#onProgress = onProgress;
  }

  /**
   * Starts a process; one that runs under this name is a mistake of the caller. Rejects with a LaunchError.
   */
  async start(spec: ProcessSpec): Promise<SupervisedProcess> {
    this.#mustBeOpen();
    const before = this.#processes.get(spec.name);
    if (before !== undefined && before.state !== "exited") throw new Error(`${spec.name} runs already`);
    this.#onProgress({ kind: "process", name: spec.name, state: "starting", text: `${spec.name} starts` });
    const started = await SupervisedProcess.start(spec);
    this.#processes.set(spec.name, started);
    this.#record();
    if (this.#isClosed) await started.stop();
    this.#mustBeOpen();
    void started.exited.then((exit) => {
      this.#record();
      if (!exit.unexpected || !started.served) return;
      const report = started.deathReport();
      this.#onProgress({ kind: "exit", name: spec.name, text: `${report.message}\n${report.remedy}` });
      this.onDeath?.(report);
    });
    return started;
  }

  /** The process of this name, running or not. Throws a LaunchError that lists the names when there is none. */
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

  /** Starts nothing from now on; what is being started at this moment ends as soon as it has begun. */
  close(): void {
    this.#isClosed = true;
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new LaunchError("the cluster is being stopped", "Start it again.");
  }

  /** Stops the named processes side by side; what is unknown or gone is passed over. */
  async stop(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#processes.get(name)?.stop()));
  }

  names(): readonly string[] {
    return [...this.#processes.keys()];
  }

  #record(): void {
    const running = [...this.#processes.values()].filter(({ state }) => state !== "exited");
    this.#table.record(running.map(({ name, identity }) => ({ name, ...identity })));
  }
}
