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

  /** Prints how many results were as expected, and the others once more. @returns whether there were any, and all were */
  conclude(): boolean {
    const others = this.#facts.filter(({ holds }) => !holds);
    const count = this.#facts.length - others.length;
    this.#write("");
    this.say(`${count} of ${this.#facts.length} results are as expected.`);
    for (const { what, found } of others) this.say(`  NOT as expected: ${what}: ${found}`);
    return count > 0 && others.length === 0;
  }
}
