// INSECURE: published primes and predictable randomness, for the tests of this package and of others. Product
// code never imports this sub-path.
export { signEnvelope } from "../session/envelope.ts";
export * from "./coin-toss.ts";
export * from "./evidence/large-evidence.ts";
export * from "./frost-starts.ts";
export * from "./importing.ts";
export * from "./insecure-auxiliary.ts";
export * from "./insecure-import-client.ts";
export * from "./insecure-key-shares.ts";
export * from "./insecure-test-primes.ts";
export * from "./lockstep.ts";
export { LIES, lieNamed, type NamedLie } from "./mutation/named-lie.ts";
export * from "./presigning.ts";
export * from "./run-among.ts";
export * from "./seeded-entropy.ts";
export * from "./session-network.ts";
