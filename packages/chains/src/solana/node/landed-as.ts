/** Transactions that are remembered. */
const REMEMBERED_MAX = 10_000;

/**
 * Under which id a message landed, where that is not the one on record: signers may have signed the same message twice, and each
 * signature gives it another id. What was learnt is true for good; it is forgotten, the oldest first, so that it stays small.
 */
export class LandedAs {
  readonly #ids = new Map<string, string>();

  /** @returns the id under which it landed, as far as that is known, else its own */
  idOf(id: string): string {
    return this.#ids.get(id) ?? id;
  }

  remember(id: string, landed: string): void {
    this.#ids.set(id, landed);
    if (this.#ids.size <= REMEMBERED_MAX) return;
    const { value } = this.#ids.keys().next();
    if (value !== undefined) this.#ids.delete(value);
  }
}
