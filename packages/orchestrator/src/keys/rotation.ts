/** Some of what each signer shows, other ones at every look: no list keeps others, or its own end, from its turn. */
export class Rotation<Owner> {
  readonly #from = new Map<Owner, number>();

  /** @returns `most` at most, from where the last look at this owner's ended */
  take<Item>(owner: Owner, all: readonly Item[], most: number): readonly Item[] {
    const from = (this.#from.get(owner) ?? 0) % Math.max(1, all.length);
    this.#from.set(owner, from + most);
    return [...all.slice(from), ...all.slice(0, from)].slice(0, most);
  }
}
