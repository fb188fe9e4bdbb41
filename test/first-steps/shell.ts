import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** A command's output, its exit code, and how long it took. */
export interface Ran {
  readonly output: string;
  readonly code: number;
  readonly seconds: number;
}

/** Stands in no command's output. */
const END = "first-steps-end";
const MS_PER_SECOND = 1_000;

/** One bash, as a person's terminal has: what a command exports, the next one has. */
export class Shell implements AsyncDisposable {
  readonly #bash: ChildProcessByStdio<Writable, Readable, null>;
  #read = "";

  /** @param folder in which it begins */
  constructor(folder: string, env: NodeJS.ProcessEnv) {
    // stderr goes where stdout goes, in the order of a terminal
    const arguments_ = ["-c", "exec 2>&1; exec bash --noprofile --norc"];
    this.#bash = spawn("bash", arguments_, { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
    this.#bash.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#read += text;
    });
  }

  /** Gives a command, and waits for its end. */
  async run(command: string): Promise<Ran> {
    this.#read = "";
    const beganMs = performance.now();
    this.#bash.stdin.write(`${command}\necho "${END} $?"\n`);
    for (;;) {
      const end = new RegExp(`^${END} (\\d+)\\n`, "m").exec(this.#read);
      if (end !== null) {
        const seconds = (performance.now() - beganMs) / MS_PER_SECOND;
        return { output: this.#read.slice(0, end.index), code: Number(end[1]), seconds };
      }
      await once(this.#bash.stdout, "data");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#bash, "exit");
    this.#bash.stdin.end();
    await ended;
  }
}
