import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { LaunchError } from "../launch-error.ts";
import { systemErrorCode } from "./system-error-code.ts";

/** After this time a turn's holder must have crashed: a command takes seconds. */
export const TURN_MS = 120_000;

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

/**
 * Whether a turn has expired. A time far in the future counts as expired too: some clock was wrong, so the age is
 * unknown, and the turn must not last until that time.
 */
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
 * A lock held as a file, which expires by age if its holder crashed. Holders may run in containers that share only the
 * folder of this file, so the holder's process cannot be looked up.
 */
export class TurnFile {
  readonly #file: string;
  readonly #own = randomBytes(16).toString("hex");

  constructor(file: string) {
    this.#file = file;
  }

  /** Rejects with a LaunchError if another command holds the turn. */
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

  /** Removes the file of a crashed holder. If two commands try at once, only one succeeds. */
  #forget(others: LaunchError): void {
    const aside = `${this.#file}.${this.#own}`;
    try {
      renameSync(this.#file, aside);
    } catch (error) {
      // the file is gone, so another command was quicker
      throw systemErrorCode(error) === "ENOENT" ? others : untaken(this.#file, error);
    }
    const wasOld = isOld(aside);
    if (!wasOld) renameSync(aside, this.#file);
    rmSync(aside, { force: true });
    if (!wasOld) throw others;
  }

  /** Rejects with a LaunchError if this command took so long that another one took the turn. */
  stillHeld(): void {
    if (contentOf(this.#file) === this.#own) return;
    throw new LaunchError("this took too long, and another took its turn", "Do it again.");
  }

  release(): void {
    if (contentOf(this.#file) === this.#own) rmSync(this.#file, { force: true });
  }
}
