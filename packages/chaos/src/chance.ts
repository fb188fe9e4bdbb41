/** A seeded pseudorandom generator: mulberry32. Nothing here is secret, so it need not be cryptographically secure. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** from 0 up to 1 */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** a random whole number from the first to the last */
  between(first: number, last: number): number {
    return first + Math.floor(this.share() * (last - first + 1));
  }

  /** a random element of a list. @throws RangeError when the list is empty */
  of<T>(several: readonly T[]): T {
    const one = several[this.between(0, several.length - 1)];
    if (one === undefined) throw new RangeError("there is nothing to draw from");
    return one;
  }
}
