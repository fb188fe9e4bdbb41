/** Most transactions that are remembered: a few hundred bytes each. */
const REMEMBERED_MAX = 10_000;

export type BlockVerdict = "landed" | "missed";

/**
 * The progress of reading solid blocks for transactions, and their content. A solid block never changes, so its content
 * stays true; the oldest entries are dropped first, so that the memory stays small.
 */
export class BlockProgress {
  readonly #next = new Map<string, bigint>();
  readonly #verdicts = new Map<string, BlockVerdict>();

  verdictOf(id: string): BlockVerdict | undefined {
    return this.#verdicts.get(id);
  }

  /** The first block that was not read for the transaction yet; undefined if none was read. */
  nextOf(id: string): bigint | undefined {
    return this.#next.get(id);
  }

  advance(id: string, next: bigint): void {
    this.#next.set(id, next);
    if (this.#next.size > REMEMBERED_MAX) forgetOldest(this.#next);
  }

  remember(id: string, verdict: BlockVerdict): BlockVerdict {
    this.#next.delete(id);
    this.#verdicts.set(id, verdict);
    if (this.#verdicts.size > REMEMBERED_MAX) forgetOldest(this.#verdicts);
    return verdict;
  }
}

const forgetOldest = (memory: Map<string, unknown>): void => {
  const { value } = memory.keys().next();
  if (value !== undefined) memory.delete(value);
};
