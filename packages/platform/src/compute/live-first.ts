import type { SessionKey } from "@conclave/cluster";
import type { Urgency, Work } from "./messages.ts";

/** "done" if the piece completed the work; "begun" if more pieces must run before any later work of the same session. */
export type Performed = "done" | "begun";

/** Pieces of live work done in a row while background work waits; then one piece of background work is done. */
const LIVE_IN_ROW_MAX = 4;

/**
 * A worker's queue: work of live sessions first, background work after it, each in order of arrival. Between two pieces
 * the worker takes in new messages, so a live request waits for at most one piece of background work. When live work
 * never ends, every fifth piece is background work, so that a presigning that was begun ends before its deadline.
 */
export class LiveFirst {
  readonly #waiting: Readonly<Record<Urgency, Work[]>> = { live: [], background: [] };
  readonly #perform: (work: Work) => Performed;
  #isScheduled = false;
  #liveInRow = 0;

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
      const work = this.#next();
      if (work === undefined) return;
      if (this.#perform(work) === "begun") this.#waiting[work.urgency].unshift(work);
      this.#schedule();
    });
  }

  #next(): Work | undefined {
    const { live, background } = this.#waiting;
    const isTurnOfLive = background.length === 0 || this.#liveInRow < LIVE_IN_ROW_MAX;
    const next = isTurnOfLive ? live.shift() : undefined;
    this.#liveInRow = next === undefined || background.length === 0 ? 0 : this.#liveInRow + 1;
    return next ?? background.shift() ?? live.shift();
  }
}
