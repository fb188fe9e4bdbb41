import type { SearchEntry } from "../primes/search.ts";
import { bundledEntry } from "./bundled-entry.ts";

let bundled: SearchEntry | undefined;

/** The prime search, built from its current source. */
export const sourceSearch = (): SearchEntry => {
  bundled ??= bundledEntry(new URL("../primes/child.ts", import.meta.url));
  return bundled;
};
