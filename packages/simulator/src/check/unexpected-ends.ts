import type { Violation } from "./violation.ts";

/** No process ends by an error. */
export const unexpectedEnds = (
  failures: readonly { readonly process: string; readonly error: unknown }[],
): readonly Violation[] =>
  failures.map(({ process, error }) => ({
    invariant: "process",
    words: `${process} ended by ${error instanceof Error ? error.message : String(error)}`,
  }));
