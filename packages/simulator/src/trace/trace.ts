import { createHash } from "node:crypto";
import type { Scheduler } from "../time/scheduler.ts";

/** A line of a run: something that a process did or met. */
export interface TraceLine {
  /** since the beginning of the run */
  readonly atUs: number;
  readonly process: string;
  readonly words: string;
}

/** The lines of a run that people read, and a digest of these and of all absorbed messages. */
export class Trace {
  readonly #scheduler: Pick<Scheduler, "nowUs">;
  readonly #digest = createHash("sha256");
  readonly #lines: TraceLine[] = [];
  readonly #last = new Map<string, Omit<TraceLine, "process">>();
  #count = 0;

  constructor(scheduler: Pick<Scheduler, "nowUs">) {
    this.#scheduler = scheduler;
  }

  /** Notes a line that people read, too. */
  note(process: string, words: string): void {
    this.#lines.push({ atUs: this.#scheduler.nowUs, process, words });
    this.absorb(process, words);
  }

  /** Adds to the digest alone: messages are many. */
  absorb(process: string, words: string): void {
    this.#count += 1;
    this.#last.set(process, { atUs: this.#scheduler.nowUs, words });
    this.#digest.update(`${this.#scheduler.nowUs} ${process} ${words}\n`);
  }

  /** The last of a process, whether noted or absorbed; undefined where there is nothing. */
  lastOf(process: string): Omit<TraceLine, "process"> | undefined {
    return this.#last.get(process);
  }

  get lines(): readonly TraceLine[] {
    return this.#lines;
  }

  /** How much was noted and absorbed, and its SHA-256 so far, lower-case hex. */
  get sum(): { readonly count: number; readonly digest: string } {
    return { count: this.#count, digest: this.#digest.copy().digest("hex") };
  }
}
