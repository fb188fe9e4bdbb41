/** For how long a node that took a transaction is believed to have it: some three ledgers. */
const FRESH_MS = 15_000;
const REMEMBERED_MAX = 10_000;

interface Taken {
  readonly atMs: number;
  readonly maxTime: bigint;
}

/** Which transactions a node took just now. Horizon tells nothing of what is in no ledger. */
export class SubmittedMemory {
  readonly #taken = new Map<string, Taken>();
  readonly #nowMs: () => number;

  /** @param nowMs a clock that does not jump */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** @param maxTime Unix seconds: no ledger that closes later takes it */
  remember(id: string, maxTime: bigint): void {
    this.#taken.delete(id);
    this.#taken.set(id, { atMs: this.#nowMs(), maxTime });
    if (this.#taken.size <= REMEMBERED_MAX) return;
    const { value } = this.#taken.keys().next();
    if (value !== undefined) this.#taken.delete(value);
  }

  /** Until when one lands that was taken just now, Unix seconds; undefined for any other. */
  deadlineOf(id: string): bigint | undefined {
    const taken = this.#taken.get(id);
    return taken !== undefined && this.#nowMs() - taken.atMs < FRESH_MS ? taken.maxTime : undefined;
  }
}
