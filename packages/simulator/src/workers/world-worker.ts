import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { unfinishedReport, type WorldOrder, type WorldReport } from "./world-order.ts";

/** The file that the process of a worker runs, and its Node options. */
export interface WorldEntry {
  readonly url: URL;
  readonly execArgv: readonly string[];
}

const COMPILED: WorldEntry = { url: new URL("./world-child.js", import.meta.url), execArgv: [] };
/** Real time in which a world has to end: a hundred times what it takes on a busy machine. */
const LIMIT_MS = 600_000;
const MS_PER_SECOND = 1_000;

/** A process that runs worlds. Its first message says that it listens, and each further one is a report. */
interface LivingChild {
  readonly child: ChildProcess;
  readonly listens: Promise<void>;
}

export interface WorkerOptions {
  readonly entry?: WorldEntry;
  /** real milliseconds in which a world has to end, ten minutes by default */
  readonly limitMs?: number;
  /** the path of the Node that runs the process, by default that of this one */
  readonly node?: string | undefined;
}

/**
 * Runs worlds in a process of its own, one at a time. A world may end that process, by its memory for example; the next world gets
 * another one.
 */
export class WorldWorker {
  readonly #entry: WorldEntry;
  readonly #limitMs: number;
  readonly #node: string;
  #living: LivingChild | undefined;
  #peakMb = 0;

  constructor({ entry = COMPILED, limitMs = LIMIT_MS, node = process.execPath }: WorkerOptions = {}) {
    this.#entry = entry;
    this.#limitMs = limitMs;
    this.#node = node;
  }

  /**
   * Runs a world. Call it once the earlier one has ended.
   * @returns its report; one with a finding where its process died, or where the world did not end in time
   */
  run(order: WorldOrder): Promise<WorldReport> {
    const { child, listens } = this.#begun();
    return new Promise((resolve) => {
      let isOver = false;
      const end = (report: WorldReport): void => {
        isOver = true;
        clearTimeout(timer);
        child.off("message", hear).off("exit", exit).off("error", fail);
        this.#peakMb = report.peakMb;
        resolve(report);
      };
      const hear = (report: WorldReport): void => end(report);
      const exit = (code: number | null, signal: string | null): void =>
        end(unfinishedReport("worker", `the process of the world ended by ${signal ?? code}`, this.#peakMb));
      const fail = (error: Error): void => {
        end(unfinishedReport("worker", `no process runs the world: ${error.message}`, this.#peakMb));
        this.close();
      };
      const timer = setTimeout(() => {
        const seconds = this.#limitMs / MS_PER_SECOND;
        end(unfinishedReport("time", `the world did not end within ${seconds} s`, this.#peakMb));
        this.close();
      }, this.#limitMs);
      child.on("exit", exit).on("error", fail);
      void listens.then(() => {
        if (isOver) return;
        child.on("message", hear);
        child.send(order);
      });
    });
  }

  /** Ends the process at once, with the world that it runs. */
  close(): void {
    this.#living?.child.kill("SIGKILL");
    this.#living = undefined;
  }

  #begun(): LivingChild {
    if (this.#living !== undefined) return this.#living;
    const { url, execArgv } = this.#entry;
    const child = fork(fileURLToPath(url), {
      execPath: this.#node,
      execArgv: [...execArgv],
      serialization: "advanced",
    });
    const forget = (): void => {
      if (this.#living?.child === child) this.#living = undefined;
    };
    child.on("exit", forget).on("error", forget);
    // an order that is sent while the process still loads its modules would be lost
    const listens = new Promise<void>((resolve) => void child.once("message", () => resolve()));
    const living = { child, listens };
    this.#living = living;
    return living;
  }
}
