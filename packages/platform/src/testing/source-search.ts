import type { SearchEntry } from "../primes/search.ts";

/** Runs the prime search from source, so that a test never uses an older build. */
export const SOURCE_SEARCH: SearchEntry = {
  url: new URL("../primes/child.ts", import.meta.url),
  execArgv: ["--conditions=source", "--import", "tsx"],
};
