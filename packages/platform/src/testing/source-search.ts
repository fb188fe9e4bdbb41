import type { SearchEntry } from "../primes/search.ts";
import { bundledEntry } from "./bundled-entry.ts";

let bundled: SearchEntry | undefined;

/** The prime search as its source is now. */
export const sourceSearch = (): SearchEntry => {
  bundled ??= bundledEntry(new URL("../primes/child.ts", import.meta.url));
  return bundled;
};
