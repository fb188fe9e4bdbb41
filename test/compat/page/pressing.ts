import type { Documented } from "./documented.ts";

/** The page's view of an answered request. */
export interface Shown {
  readonly status: number;
  /** the URL that the page shows as called */
  readonly url: string;
  /** the answer's body; undefined if it is not JSON */
  readonly body: unknown;
}

/** The operations of a person on the page at /docs. */
export interface Pressing {
  /** Puts a token into the page, replacing an earlier one. */
  authorize(token: string): Promise<void>;
  /**
   * Tries an operation.
   * @param shows the example to choose; undefined if there is no choice
   * @param typed ids that replace those of the example, by name
   */
  tryOut(
    operation: Documented,
    shows: string | undefined,
    typed: ReadonlyMap<string, string>,
  ): Promise<Shown>;
}
