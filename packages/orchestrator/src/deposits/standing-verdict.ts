/**
 * How long, and in how many rounds, a node must repeat its answer about a block before the block is skipped. Several
 * nodes may stand behind one address: every few hours the one that lacks the block may happen to give some answers in a
 * row, but not for minutes.
 */
export const STANDS_MS = 5 * 60_000;
const STANDS_ROUNDS = 60;

/** A verdict that a node must repeat from round to round. */
export class StandingVerdict {
  #verdict: string | undefined;
  #sinceMs = 0;
  #rounds = 0;

  /**
   * Adds the verdict of a round.
   * @param nowMs milliseconds of a monotonic clock
   * @returns whether the verdict has been repeated for long enough without another one in between
   */
  stands(verdict: string, nowMs: number): boolean {
    if (this.#verdict !== verdict) [this.#verdict, this.#sinceMs, this.#rounds] = [verdict, nowMs, 0];
    this.#rounds += 1;
    return nowMs - this.#sinceMs >= STANDS_MS && this.#rounds >= STANDS_ROUNDS;
  }

  /** Adds a round without the verdict: the node answered otherwise, or one of several nodes did not answer. */
  falls(): void {
    this.#verdict = undefined;
  }
}
