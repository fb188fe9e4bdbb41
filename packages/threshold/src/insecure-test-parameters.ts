import type { Parameters } from "./parameters.ts";

/**
 * INSECURE. Small moduli for quick tests. Completeness holds (ε exceeds the challenge's 256 bits by 64, ℓ′ exceeds 2ℓ+ε
 * by 64, N exceeds 2^(ℓ′+ε)); security does not: such an N can be factored.
 * Signers refuse this level unless started with CONCLAVE_INSECURE_TEST_PARAMETERS=1, and never under NODE_ENV=production.
 */
export const INSECURE_TEST_PARAMETERS: Parameters = {
  name: "INSECURE-TEST",
  primeBits: 640,
  modulusBitsMin: 1279,
  ell: 256,
  epsilon: 320,
  ellPrime: 896,
  iterations: 16,
};
