import type { SessionKey } from "@conclave/cluster";
import type { Urgency, Work } from "./messages.ts";

/** "done" if the piece completed the work; "begun" if more of it has to be done before any later work of the session. */
export type Performed = "done" | "begun";

/**
 * A worker's queue: work of live sessions first, background work after it, each in order of arrival. Between two pieces the
 * worker takes in new messages, so a live request waits for at most one piece of background work.
 */
export class LiveFirst {
  readonly #waiting: Readonly<Record<Urgency, Work[]>> = { live: [], background: [] };
  readonly #perform: (work: Work) => Performed;
  #isScheduled = false;

  /** @param perform does one piece of work */
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

  /** Removes the waiting work of a session. */
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
