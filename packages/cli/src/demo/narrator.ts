import { table } from "../table.ts";

/** One thing that had to come out as expected. */
export interface CheckedFact {
  readonly what: string;
  readonly found: string;
  readonly holds: boolean;
}

/** Tells the story as it goes, collects what was checked, and sums it up. */
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

  chapter(text: string): void {
    this.#write("");
    this.say(text);
  }

  /** Notes what came out; a difference is shown at once, and the demo goes on to show the rest. */
  check(what: string, found: string, holds: boolean): void {
    this.#facts.push({ what, found, holds });
    this.say(`${holds ? "  as expected" : "  NOT as expected"}: ${what}: ${found}`);
  }

  equal(what: string, found: string, expected: string): void {
    const holds = found === expected;
    this.check(what, holds ? found : `${found}, expected ${expected}`, holds);
  }

  /** The table at the end. @returns whether everything held */
  conclude(): boolean {
    const rows = this.#facts.map(({ what, found, holds }) => [holds ? "yes" : "NO", what, found]);
    this.#write(`\n${table(["holds", "what", "found"], rows)}\n`);
    return this.#facts.length > 0 && this.#facts.every(({ holds }) => holds);
  }
}
