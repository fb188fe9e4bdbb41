/** How long a node that accepted a transaction is believed to have it: some three ledgers. */
const FRESH_MS = 15_000;
const REMEMBERED_MAX = 10_000;

interface Taken {
  readonly atMs: number;
  readonly maxTime: bigint;
}

/** The transactions that a node accepted recently; Horizon shows nothing that is in no ledger. */
export class SubmittedMemory {
  readonly #taken = new Map<string, Taken>();
  readonly #nowMs: () => number;

  /** @param nowMs a monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** @param maxTime Unix seconds: no ledger that closes later includes it */
  remember(id: string, maxTime: bigint): void {
    this.#taken.delete(id);
    this.#taken.set(id, { atMs: this.#nowMs(), maxTime });
    if (this.#taken.size <= REMEMBERED_MAX) return;
    const { value } = this.#taken.keys().next();
    if (value !== undefined) this.#taken.delete(value);
  }

  /** The time bound of a recently accepted transaction, Unix seconds; undefined for any other. */
  deadlineOf(id: string): bigint | undefined {
    const taken = this.#taken.get(id);
    return taken !== undefined && this.#nowMs() - taken.atMs < FRESH_MS ? taken.maxTime : undefined;
  }
}
