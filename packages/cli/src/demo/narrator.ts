import { table } from "../table.ts";

/** One checked result, for the summary. */
export interface CheckedFact {
  readonly what: string;
  readonly found: string;
  readonly holds: boolean;
}

/** Prints the progress of the demo, collects the checked results, and prints their summary. */
export class Narrator {
  readonly #began = performance.now();
  readonly #write: (line: string) => void;
  readonly #facts: CheckedFact[] = [];

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  say(text: string): void {
    const seconds = ((performance.now() - this.#began) / 1_000).toFixed(1).padStart(6);
    this.#write(`${seconds} s  ${text}`);
  }

  /** Prints a text of several lines unchanged. */
  print(text: string): void {
    this.#write(`\n${text}`);
  }

  chapter(text: string): void {
    this.#write("");
    this.say(text);
  }

  /** Records and prints a result. After an unexpected result the demo continues. */
  check(what: string, found: string, holds: boolean): void {
    this.#facts.push({ what, found, holds });
    this.say(`${holds ? "  as expected" : "  NOT as expected"}: ${what}: ${found}`);
  }

  equal(what: string, found: string, expected: string): void {
    const holds = found === expected;
    this.check(what, holds ? found : `${found}, expected ${expected}`, holds);
  }

  /** Prints the table of all results. @returns whether there were any, and all were as expected */
  conclude(): boolean {
    const rows = this.#facts.map(({ what, found, holds }) => [holds ? "yes" : "NO", what, found]);
    this.#write(`\n${table(["holds", "what", "found"], rows)}\n`);
    return this.#facts.length > 0 && this.#facts.every(({ holds }) => holds);
  }
}
