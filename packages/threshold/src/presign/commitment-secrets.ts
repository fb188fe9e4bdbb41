/** What a signer hides in its commitments of round 1; all of it ends with the session. */
export interface CommitmentSecrets {
  /** k_i, lifted */
  readonly k: bigint;
  /** γ_i, lifted */
  readonly gamma: bigint;
  /** the nonce of K */
  readonly rho: bigint;
  /** the nonce of G */
  readonly nu: bigint;
  readonly a: bigint;
  readonly b: bigint;
}
