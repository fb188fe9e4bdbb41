import type { SearchEntry } from "../primes/search.ts";

/** Looks for primes from source, so that a test never meets an older build. */
export const SOURCE_SEARCH: SearchEntry = {
  url: new URL("../primes/child.ts", import.meta.url),
  execArgv: ["--conditions=source", "--import", "tsx"],
};
