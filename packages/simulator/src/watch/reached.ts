/** How often each thing was reached in a world: log events, answers of signers, acts of attackers. By name. */
export type Reached = Readonly<Record<string, number>>;

/** Counts what a world reaches. */
export class ReachedCounts {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** By name, in the order of the names. */
  get counts(): Reached {
    return Object.fromEntries([...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}

/** The sum of two counts. */
export const reachedIn = (one: Reached, other: Reached): Reached => {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
};
