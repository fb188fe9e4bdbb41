/** For how long a node that took a transaction is believed to have it: some three ledgers. */
const FRESH_MS = 15_000;
const REMEMBERED_MAX = 10_000;

/** Which transactions a node took just now. Horizon tells nothing of what is in no ledger. */
export class SubmittedMemory {
  readonly #takenMs = new Map<string, number>();
  readonly #nowMs: () => number;

  /** @param nowMs a clock that does not jump */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  remember(id: string): void {
    this.#takenMs.delete(id);
    this.#takenMs.set(id, this.#nowMs());
    if (this.#takenMs.size <= REMEMBERED_MAX) return;
    const { value } = this.#takenMs.keys().next();
    if (value !== undefined) this.#takenMs.delete(value);
  }

  isFresh(id: string): boolean {
    const takenMs = this.#takenMs.get(id);
    return takenMs !== undefined && this.#nowMs() - takenMs < FRESH_MS;
  }
}
