/** The last value of an entry; undefined where there is none. */
type Entry = readonly [name: string, value: Uint8Array | undefined];

/** A copy of all entries. */
export type TableCopy = ReadonlyMap<string, Uint8Array>;

/**
 * The entries of a store on a disk, in the order of their names. As in LevelDB, a write is there wholly or not at all, and those since the
 * last synced one may be lost, the newest first.
 */
export class KeptTable {
  readonly #entries = new Map<string, Uint8Array>();
  /** ascending */
  #names: string[] = [];
  /** of each write that is not synced, the entries as they were before it; the oldest write first */
  #unsynced: (readonly Entry[])[] = [];

  get(name: string): Uint8Array | undefined {
    return this.#entries.get(name);
  }

  /** Changes all of these entries. A synced write makes earlier ones durable, too. */
  write(changes: readonly Entry[], isSynced: boolean): void {
    if (isSynced) this.#unsynced = [];
    else this.#unsynced.push(changes.map(([name]) => [name, this.#entries.get(name)]));
    for (const [name, value] of changes) this.#set(name, value);
  }

  /** Entries from a name to another one, without the latter, ascending. */
  range(
    from: string,
    to: string,
    limit = Number.POSITIVE_INFINITY,
  ): readonly (readonly [string, Uint8Array])[] {
    const found: (readonly [string, Uint8Array])[] = [];
    for (let at = this.#placeOf(from); found.length < limit; at += 1) {
      const name = this.#names[at];
      const value = name === undefined ? undefined : this.#entries.get(name);
      if (name === undefined || value === undefined || name >= to) break;
      found.push([name, value]);
    }
    return found;
  }

  /** How many writes a power loss may take back. */
  get unsynced(): number {
    return this.#unsynced.length;
  }

  /** Loses writes that are not synced, the newest first. @param kept how many of them stay */
  losePower(kept: number): void {
    for (const before of this.#unsynced.slice(kept).reverse())
      for (const [name, value] of before.toReversed()) this.#set(name, value);
    this.#unsynced = [];
  }

  copy(): TableCopy {
    return new Map(this.#entries);
  }

  /** Puts a copy in the place of all entries, durably. */
  restore(copy: TableCopy): void {
    this.#entries.clear();
    for (const [name, value] of copy) this.#entries.set(name, value);
    this.#names = [...copy.keys()].sort();
    this.#unsynced = [];
  }

  #set(name: string, value: Uint8Array | undefined): void {
    const isNew = !this.#entries.has(name);
    if (value === undefined) {
      if (isNew) return;
      this.#entries.delete(name);
      this.#names.splice(this.#placeOf(name), 1);
      return;
    }
    this.#entries.set(name, value);
    if (isNew) this.#names.splice(this.#placeOf(name), 0, name);
  }

  /** The index of the first name that is not below this one. */
  #placeOf(name: string): number {
    let [low, high] = [0, this.#names.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#names[middle] ?? "") < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
