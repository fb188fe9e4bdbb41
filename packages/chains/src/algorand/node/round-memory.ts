/** Limits of remembered ids and times of rounds, and of verdicts on transactions: a few megabytes each. */
const ROUND_IDS_MAX = 100_000;
const VERDICTS_MAX = 10_000;
const TIMES_MAX = 10_000;

/** The round in which a transaction landed. */
export interface Landing {
  readonly round: bigint;
  /** microalgos */
  readonly fee: bigint;
}

/**
 * A cache of rounds. A round never changes once it exists, so its data stays true; the oldest entries are dropped to
 * keep the cache small.
 */
export class RoundMemory {
  readonly #rounds = new Map<bigint, ReadonlySet<string>>();
  #ids = 0;
  readonly #landed = new Map<string, Landing>();
  readonly #missed = new Set<string>();
  readonly #times = new Map<bigint, bigint>();

  idsOf(round: bigint): ReadonlySet<string> | undefined {
    return this.#rounds.get(round);
  }

  rememberRound(round: bigint, ids: readonly string[]): ReadonlySet<string> {
    const known = this.#rounds.get(round);
    if (known !== undefined) return known;
    const found = new Set(ids);
    this.#rounds.set(round, found);
    // a round without transactions takes room too
    this.#ids += found.size + 1;
    for (const [oldest, held] of this.#rounds) {
      if (this.#ids <= ROUND_IDS_MAX || oldest === round) break;
      this.#rounds.delete(oldest);
      this.#ids -= held.size + 1;
    }
    return found;
  }

  /** Unix seconds */
  timeOf(round: bigint): bigint | undefined {
    return this.#times.get(round);
  }

  rememberTime(round: bigint, time: bigint): void {
    this.#times.set(round, time);
    if (this.#times.size > TIMES_MAX) forgetOldest(this.#times);
  }

  landingOf(id: string): Landing | undefined {
    return this.#landed.get(id);
  }

  rememberLanding(id: string, landing: Landing): void {
    this.#landed.set(id, landing);
    if (this.#landed.size > VERDICTS_MAX) forgetOldest(this.#landed);
  }

  /** Whether every round in which the transaction could have landed was read, and none contains it. */
  hasMissed(id: string): boolean {
    return this.#missed.has(id);
  }

  rememberMissed(id: string): void {
    this.#missed.add(id);
    if (this.#missed.size > VERDICTS_MAX) forgetOldest(this.#missed);
  }
}

interface Forgetful<Key> {
  keys(): IterableIterator<Key>;
  delete(key: Key): boolean;
}

const forgetOldest = <Key>(memory: Forgetful<Key>): void => {
  const { value } = memory.keys().next();
  if (value !== undefined) memory.delete(value);
};
