import type { RippledBooks } from "../books.ts";
import type { RippledEngineResult } from "../engine-result.ts";

/** What an act did to the books. Only after success do the books count. */
export interface RippledApplied {
  readonly result: RippledEngineResult;
  readonly books: RippledBooks;
}
