// INSECURE: published primes and predictable randomness, for the tests of this and other packages.
// Product code never imports this sub-path.
export * from "./insecure-auxiliary.ts";
export * from "./insecure-test-primes.ts";
export * from "./lockstep.ts";
export * from "./seeded-entropy.ts";
