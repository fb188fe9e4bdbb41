import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { LaunchError } from "../launch-error.ts";

/** Whoever holds a turn for longer has crashed: what is done in one takes seconds. */
export const TURN_MS = 120_000;

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

const isOld = (file: string): boolean => {
  try {
    return Date.now() - statSync(file).mtimeMs > TURN_MS;
  } catch {
    return false;
  }
};

/**
 * A turn that is taken by a file, and ends by age where its holder crashed. Holders may be in containers that share nothing but the
 * folder of that file, so no process can be looked for.
 */
export class TurnFile {
  readonly #file: string;
  readonly #own = randomBytes(16).toString("hex");

  constructor(file: string) {
    this.#file = file;
  }

  /** Rejects with a LaunchError if another has the turn. */
  take(what: string): void {
    const others = new LaunchError(
      `another ${what} runs, or was interrupted a moment ago`,
      `Wait for its end; one that was interrupted is forgotten after ${TURN_MS / 60_000} minutes.`,
    );
    if (isOld(this.#file)) {
      const aside = `${this.#file}.${this.#own}`;
      try {
        renameSync(this.#file, aside);
      } catch {
        throw others; // somebody else was quicker
      }
      const wasOld = isOld(aside);
      if (!wasOld) renameSync(aside, this.#file);
      rmSync(aside, { force: true });
      if (!wasOld) throw others;
    }
    try {
      writeFileSync(this.#file, this.#own, { flag: "wx" });
    } catch {
      throw others;
    }
  }

  /** Rejects with a LaunchError if this took so long that another took the turn. */
  stillHeld(): void {
    if (contentOf(this.#file) === this.#own) return;
    throw new LaunchError("this took too long, and another took its turn", "Do it again.");
  }

  release(): void {
    if (contentOf(this.#file) === this.#own) rmSync(this.#file, { force: true });
  }
}
