export { makeAuxiliaryPrimes, type PrimesProgress } from "./primes.ts";
