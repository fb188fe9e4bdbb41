import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { LaunchError } from "../launch-error.ts";
import { systemErrorCode } from "./system-error-code.ts";

/** A process that holds a turn for longer has crashed: the work of one takes seconds. */
export const TURN_MS = 120_000;

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

/** A date far ahead counts as old: a clock was wrong, the age cannot be known, and no turn may last until then. */
const isOld = (file: string): boolean => {
  try {
    return Math.abs(Date.now() - statSync(file).mtimeMs) > TURN_MS;
  } catch {
    return false;
  }
};

const untaken = (file: string, error: unknown): LaunchError =>
  new LaunchError(
    `the turn cannot be taken by ${file}: ${error instanceof Error ? error.message : String(error)}`,
    "Let this process write into that folder; its disk must not be full.",
  );

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
    if (isOld(this.#file)) this.#forget(others);
    let descriptor: number;
    try {
      descriptor = openSync(this.#file, "wx");
    } catch (error) {
      throw systemErrorCode(error) === "EEXIST" ? others : untaken(this.#file, error);
    }
    try {
      writeFileSync(descriptor, this.#own);
    } catch (error) {
      rmSync(this.#file, { force: true });
      throw untaken(this.#file, error);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the file of a holder that crashed; of two that do so at once, one goes on. */
  #forget(others: LaunchError): void {
    const aside = `${this.#file}.${this.#own}`;
    try {
      renameSync(this.#file, aside);
    } catch (error) {
      // where it is gone, somebody else was quicker
      throw systemErrorCode(error) === "ENOENT" ? others : untaken(this.#file, error);
    }
    const wasOld = isOld(aside);
    if (!wasOld) renameSync(aside, this.#file);
    rmSync(aside, { force: true });
    if (!wasOld) throw others;
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
