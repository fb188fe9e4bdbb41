interface Copy<Content> {
  readonly atMs: number;
  readonly content: Content;
}

/** Copies of a storage, made at intervals, like backups of a disk. */
export class AgedCopies<Content> {
  readonly #copies: Copy<Content>[] = [];

  /** @param atMs not before the last one */
  keep(atMs: number, content: Content): void {
    this.#copies.push({ atMs, content });
  }

  /** The newest copy of that time or of before, or else the first one. @throws where there is none */
  of(atMs: number): Content {
    const copy = this.#copies.findLast((each) => each.atMs <= atMs) ?? this.#copies[0];
    if (copy === undefined) throw new Error("nothing was copied");
    return copy.content;
  }
}
