/**
 * So long, and in so many rounds, a node must say the same of a block before it is passed over. Several nodes may stand behind one address: a row of
 * some answers that all come from the one that lacks the block happens within hours, one of minutes does not.
 */
export const STANDS_MS = 5 * 60_000;
const STANDS_ROUNDS = 60;

/** A verdict that a node repeats from round to round. */
export class StandingVerdict {
  #verdict: string | undefined;
  #sinceMs = 0;
  #rounds = 0;

  /**
   * Takes the verdict of a round.
   * @param nowMs of a clock that only goes forward
   * @returns whether it has stood for long enough, without another one between
   */
  stands(verdict: string, nowMs: number): boolean {
    if (this.#verdict !== verdict) [this.#verdict, this.#sinceMs, this.#rounds] = [verdict, nowMs, 0];
    this.#rounds += 1;
    return nowMs - this.#sinceMs >= STANDS_MS && this.#rounds >= STANDS_ROUNDS;
  }

  /** Takes a round without it: the node has said otherwise, or one of several that answers did not tell. */
  falls(): void {
    this.#verdict = undefined;
  }
}
