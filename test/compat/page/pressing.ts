import type { Documented } from "./documented.ts";

/** The page's view of an answered request. */
export interface Shown {
  readonly status: number;
  /** the address that the page says it has asked */
  readonly url: string;
  /** the answer's body; undefined of one that is no JSON */
  readonly body: unknown;
}

/** The page at /docs, as far as a person presses it. */
export interface Pressing {
  /** Puts a token into the page, in place of an earlier one. */
  authorize(token: string): Promise<void>;
  /**
   * Tries an operation out.
   * @param shows the example to choose; undefined where there is nothing to choose
   * @param typed ids to put over those of the example, by their names
   */
  tryOut(
    operation: Documented,
    shows: string | undefined,
    typed: ReadonlyMap<string, string>,
  ): Promise<Shown>;
}
