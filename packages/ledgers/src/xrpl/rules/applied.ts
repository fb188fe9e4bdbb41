import type { RippledBooks } from "../books.ts";
import type { RippledEngineResult } from "../engine-result.ts";

/** The effect of an act. The books count only if the result is success. */
export interface RippledApplied {
  readonly result: RippledEngineResult;
  readonly books: RippledBooks;
}
