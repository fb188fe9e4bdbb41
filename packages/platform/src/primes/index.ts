export { makeAuxiliaryPrimes, type PrimesProgress } from "./primes.ts";
export { type SearchEntry, type SearchOptions, searchAuxiliaryPrimes } from "./search.ts";
