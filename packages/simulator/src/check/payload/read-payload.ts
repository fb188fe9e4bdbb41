/** An unsigned transaction, as an observer reads it without the code of the cluster. */
export interface ReadPayload {
  /** the digests that its signatures sign, lower-case hex: one, or one for each input */
  readonly digests: readonly string[];
  /** undefined where it pays nobody */
  readonly to: string | undefined;
  /** in the chain's smallest unit */
  readonly amount: bigint;
  /** why it is no plain payment on this chain; undefined where it is one */
  readonly strange: string | undefined;
  /** the account's number, or the coins, that it takes: two transactions exclude each other where they share one */
  readonly takes: readonly string[];
}

/** @returns undefined for bytes that are of another kind of chain, or cannot be read */
export type ReadsPayload = (unsigned: Uint8Array) => ReadPayload | undefined;
