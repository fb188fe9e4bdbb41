import { rmSync } from "node:fs";
import { join } from "node:path";

interface Copy {
  readonly atMs: number;
  readonly folder: string;
}

/** Something whose disk is backed up. */
export interface Copied {
  /** Copies all that it has stored to a new folder. @returns false when it could not be copied just now */
  readonly copy: (folder: string) => boolean;
  /** Puts a copy in place of what it has stored. */
  readonly restore: (folder: string) => Promise<void>;
}

export interface AgedCopiesOptions {
  /** of this run, for the copies alone */
  readonly folder: string;
  readonly everyMs: number;
  /** the furthest that anybody goes back: older copies are needed no more */
  readonly longestMs: number;
  readonly nowMs?: () => number;
}

/** Copies of what something has stored, by the time at which they were made: some backup of its disk. */
export class AgedCopies implements Disposable {
  readonly #copied: Copied;
  readonly #options: Required<AgedCopiesOptions>;
  readonly #copies: Copy[] = [];
  readonly #timer: NodeJS.Timeout;
  #made = 0;
  /** how many copies are being put back: none of them is removed meanwhile */
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

  /** Of copies that are older than anybody asks for, only the newest may still be wanted. */
  #forget(): void {
    if (this.#restoring > 0) return;
    const { nowMs, longestMs } = this.#options;
    const old = this.#copies.filter(({ atMs }) => atMs <= nowMs() - longestMs).length;
    for (const { folder } of this.#copies.splice(0, Math.max(0, old - 1))) {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Takes it back to the newest copy of so long ago, or to the first. */
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

  /** Makes no more copies, and removes those that there are. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    rmSync(this.#options.folder, { recursive: true, force: true });
  }
}
