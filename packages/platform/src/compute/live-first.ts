import type { SessionKey } from "@conclave/cluster";
import type { ToWorker, Urgency } from "./messages.ts";

type Task = Extract<ToWorker, { readonly kind: "task" }>;

/**
 * A worker's tasks in the order in which they are done: those of live sessions first, each kind in order of arrival.
 * Between two tasks the worker hears what has arrived, so that a request waits for one task of the background at most.
 */
export class LiveFirst {
  readonly #waiting: Readonly<Record<Urgency, Task[]>> = { live: [], background: [] };
  readonly #perform: (task: Task) => void;
  #isScheduled = false;

  /** @param perform does one task */
  constructor(perform: (task: Task) => void) {
    this.#perform = perform;
  }

  get isEmpty(): boolean {
    return this.#waiting.live.length + this.#waiting.background.length === 0;
  }

  push(task: Task): void {
    this.#waiting[task.urgency].push(task);
    this.#schedule();
  }

  /** Forgets what waits of a session. */
  drop(session: SessionKey): void {
    for (const queue of Object.values(this.#waiting)) {
      queue.splice(0, queue.length, ...queue.filter((task) => task.session !== session));
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.isEmpty) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const task = this.#waiting.live.shift() ?? this.#waiting.background.shift();
      this.#schedule();
      if (task !== undefined) this.#perform(task);
    });
  }
}
