import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 64 * 1024;

/** Reads the lines that are appended to a log. Processes write the log file themselves, so it survives this process. */
export class LogFollower {
  readonly #file: string;
  #offset: number;
  #rest = "";

  /** @param offset byte offset to start from: the size of the file before the process was started */
  constructor(file: string, offset: number) {
    this.#file = file;
    this.#offset = offset;
  }

  /** Returns the complete lines that were appended since the last call. */
  take(): readonly string[] {
    const descriptor = openSync(this.#file, "r");
    try {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      while (this.#offset < fstatSync(descriptor).size) {
        const read = readSync(descriptor, buffer, 0, CHUNK_BYTES, this.#offset);
        if (read === 0) break;
        this.#offset += read;
        this.#rest += buffer.toString("utf8", 0, read);
      }
    } finally {
      closeSync(descriptor);
    }
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines;
  }
}

/** Returns the last lines of a log, for the report of a dead process. */
export const lastLines = (file: string, count: number): readonly string[] => {
  const follower = new LogFollower(file, 0);
  return follower.take().slice(-count);
};
