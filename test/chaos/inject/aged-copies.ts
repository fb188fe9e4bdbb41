import { rmSync } from "node:fs";
import { join } from "node:path";

interface Copy {
  readonly atMs: number;
  readonly folder: string;
}

/** A process's storage that can be copied and restored. */
export interface Copied {
  /** Copies the storage to a new folder. @returns false if it cannot be copied at the moment */
  readonly copy: (folder: string) => boolean;
  /** Replaces the storage by a copy. */
  readonly restore: (folder: string) => Promise<void>;
}

export interface AgedCopiesOptions {
  /** a folder of this run, for the copies only */
  readonly folder: string;
  readonly everyMs: number;
  /** the longest time that any fault goes back; older copies are not needed */
  readonly longestMs: number;
  readonly nowMs?: () => number;
}

/** Copies of a storage, made at intervals, like backups of a disk. */
export class AgedCopies implements Disposable {
  readonly #copied: Copied;
  readonly #options: Required<AgedCopiesOptions>;
  readonly #copies: Copy[] = [];
  readonly #timer: NodeJS.Timeout;
  #made = 0;
  /** number of restores under way; meanwhile no copy is removed */
  #restoring = 0;

  constructor(copied: Copied, options: AgedCopiesOptions) {
    this.#copied = copied;
    this.#options = { nowMs: Date.now, ...options };
    this.copy();
    this.#timer = setInterval(() => this.copy(), options.everyMs);
  }

  copy(): void {
    const folder = join(this.#options.folder, String(this.#made));
    this.#made += 1;
    if (!this.#copied.copy(folder)) {
      rmSync(folder, { recursive: true, force: true });
      return;
    }
    this.#copies.push({ atMs: this.#options.nowMs(), folder });
    this.#forget();
  }

  /** Removes copies that are too old; the newest of those is kept, because a fault may still need it. */
  #forget(): void {
    if (this.#restoring > 0) return;
    const { nowMs, longestMs } = this.#options;
    const old = this.#copies.filter(({ atMs }) => atMs <= nowMs() - longestMs).length;
    for (const { folder } of this.#copies.splice(0, Math.max(0, old - 1))) {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Restores the newest copy that is at least so old, or else the first one. */
  async goBack(byMs: number): Promise<void> {
    const untilMs = this.#options.nowMs() - byMs;
    const copy = this.#copies.findLast(({ atMs }) => atMs <= untilMs) ?? this.#copies[0];
    if (copy === undefined) throw new Error("nothing was copied");
    this.#restoring += 1;
    try {
      await this.#copied.restore(copy.folder);
    } finally {
      this.#restoring -= 1;
    }
  }

  /** Stops copying, and removes all copies. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    rmSync(this.#options.folder, { recursive: true, force: true });
  }
}
