import type { LedgerClock } from "./clock.ts";

/** Makes blocks at regular intervals, unless it is paused. */
export class BlockTimer {
  readonly #clock: LedgerClock;
  readonly #intervalMs: number;
  readonly #makeBlock: () => void;
  #end: (() => void) | undefined;

  /** @param intervalMs 0: no automatic blocks, only manual ones */
  constructor(clock: LedgerClock, intervalMs: number, makeBlock: () => void) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#makeBlock = makeBlock;
  }

  get isRunning(): boolean {
    return this.#end !== undefined;
  }

  start(): void {
    if (this.#intervalMs === 0 || this.#end !== undefined) return;
    this.#end = this.#clock.every(this.#intervalMs, this.#makeBlock);
  }

  hold(): void {
    this.#end?.();
    this.#end = undefined;
  }
}
