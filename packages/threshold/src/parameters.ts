/**
 * A security level of CGGMP24 (ePrint 2021/060, revision 2024-10-21, section "parameters"; the 128-bit set that LFDT's
 * cggmp24 uses). All numbers are in bits, except the iterations.
 */
export interface Parameters {
  readonly name: string;
  /** length of each prime of the Paillier modulus N and the ring-Pedersen modulus N^ */
  readonly primeBits: number;
  /** smallest accepted bit length of N and N^ */
  readonly modulusBitsMin: number;
  /** ℓ: range of encrypted scalars */
  readonly ell: number;
  /** ε: slack of the range proofs */
  readonly epsilon: number;
  /** ℓ′: range of the masks β of the multiplicative-to-additive conversion; hides 2^(2ℓ+ε) */
  readonly ellPrime: number;
  /** m: repetitions of Πmod and Πprm */
  readonly iterations: number;
}

/** The only level that production accepts. */
export const PRODUCTION_PARAMETERS: Parameters = {
  name: "CGGMP24-128",
  primeBits: 1536,
  modulusBitsMin: 3071,
  ell: 256,
  epsilon: 512,
  ellPrime: 1280,
  iterations: 128,
};
