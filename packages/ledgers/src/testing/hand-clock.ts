import type { LedgerClock } from "../clock.ts";

interface Timer {
  at: number;
  readonly everyMs: number | undefined;
  readonly run: () => void;
}

/** A clock that only tests move. */
export class HandClock implements LedgerClock {
  readonly #timers = new Set<Timer>();
  #now: number;

  /** @param now milliseconds since 1970 */
  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  every(ms: number, run: () => void): () => void {
    return this.#add({ at: this.#now + ms, everyMs: ms, run });
  }

  after(ms: number, run: () => void): () => void {
    return this.#add({ at: this.#now + ms, everyMs: undefined, run });
  }

  /** The number of running timers. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves the clock; timers that become due run in their order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = next.at;
      if (next.everyMs === undefined) this.#timers.delete(next);
      else next.at += next.everyMs;
      next.run();
    }
    this.#now = end;
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  #next(end: number): Timer | undefined {
    return [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
