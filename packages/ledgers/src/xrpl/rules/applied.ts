import type { RippledBooks } from "../books.ts";
import type { RippledEngineResult } from "../engine-result.ts";

/** The effect of an act on the books. Only after success do the books count. */
export interface RippledApplied {
  readonly result: RippledEngineResult;
  readonly books: RippledBooks;
}
