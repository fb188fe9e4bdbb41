import type { SessionKey } from "@conclave/cluster";
import type { Urgency, Work } from "./messages.ts";

/** Whether a piece was all of the work, or there is more of it to be done before anything that came after it. */
export type Performed = "done" | "begun";

/**
 * A worker's work in the order in which it is done: that of live sessions first, each kind in order of arrival.
 * Between two pieces the worker hears what has arrived, so that a request waits for one piece of the background at most.
 */
export class LiveFirst {
  readonly #waiting: Readonly<Record<Urgency, Work[]>> = { live: [], background: [] };
  readonly #perform: (work: Work) => Performed;
  #isScheduled = false;

  /** @param perform does one piece */
  constructor(perform: (work: Work) => Performed) {
    this.#perform = perform;
  }

  get isEmpty(): boolean {
    return this.#waiting.live.length + this.#waiting.background.length === 0;
  }

  push(work: Work): void {
    this.#waiting[work.urgency].push(work);
    this.#schedule();
  }

  /** Forgets what waits of a session. */
  drop(session: SessionKey): void {
    for (const queue of Object.values(this.#waiting)) {
      queue.splice(0, queue.length, ...queue.filter((work) => work.session !== session));
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.isEmpty) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const work = this.#waiting.live.shift() ?? this.#waiting.background.shift();
      if (work === undefined) return;
      if (this.#perform(work) === "begun") this.#waiting[work.urgency].unshift(work);
      this.#schedule();
    });
  }
}
