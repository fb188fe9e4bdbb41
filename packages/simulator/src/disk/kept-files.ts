/** A file, whatever its names are. */
interface Inode {
  readonly number: number;
  text: string;
}

type Names = ReadonlyMap<string, Inode>;

/** The names of files, and what they held. */
export interface FilesCopy {
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Files of one folder on a disk: content is durable once it is written, and names once the folder is synced. Changes of names since then
 * may be lost, the newest first.
 */
export class KeptFiles {
  #names = new Map<string, Inode>();
  /** the names as they were before each change that is not synced, the oldest first */
  #unsynced: Names[] = [];
  #made = 0;

  read(path: string): string | undefined {
    return this.#names.get(path)?.text;
  }

  paths(): readonly string[] {
    return [...this.#names.keys()];
  }

  inodeOf(path: string): number | undefined {
    return this.#names.get(path)?.number;
  }

  /** Writes into the file of this name, or into a new one. */
  write(path: string, text: string): void {
    const known = this.#names.get(path);
    if (known === undefined) this.#name(() => this.#names.set(path, this.#inode(text)));
    else known.text = text;
  }

  /** Overwrites a file with zeros; does nothing where there is none. */
  blank(path: string): void {
    const known = this.#names.get(path);
    if (known !== undefined) known.text = "\0".repeat(known.text.length);
  }

  /** Gives a file a second name; does nothing where there is none. */
  link(path: string, second: string): void {
    const known = this.#names.get(path);
    if (known !== undefined) this.#name(() => this.#names.set(second, known));
  }

  /** @throws where there is no such file */
  rename(from: string, to: string): void {
    const known = this.#names.get(from);
    if (known === undefined) throw new Error(`there is no file ${from}`);
    this.#name(() => {
      this.#names.set(to, known);
      this.#names.delete(from);
    });
  }

  remove(path: string): void {
    if (this.#names.has(path)) this.#name(() => this.#names.delete(path));
  }

  sync(): void {
    this.#unsynced = [];
  }

  /** How many changes of names a power loss may take back. */
  get unsynced(): number {
    return this.#unsynced.length;
  }

  /** Loses changes of names that are not synced, the newest first. @param kept how many of them stay */
  losePower(kept: number): void {
    const before = this.#unsynced[kept];
    if (before !== undefined) this.#names = new Map(before);
    this.#unsynced = [];
  }

  copy(): FilesCopy {
    return { texts: new Map([...this.#names].map(([path, { text }]) => [path, text])) };
  }

  /** Puts a copy in the place of all files, durably. */
  restore({ texts }: FilesCopy): void {
    this.#names = new Map([...texts].map(([path, text]) => [path, this.#inode(text)]));
    this.#unsynced = [];
  }

  #name(change: () => void): void {
    this.#unsynced.push(new Map(this.#names));
    change();
  }

  #inode(text: string): Inode {
    this.#made += 1;
    return { number: this.#made, text };
  }
}
