interface Level {
  /** micro-lamports a compute unit, as digits */
  readonly computeUnitPrice: string;
}

/**
 * The bids of transactions on a Solana network beyond the fee of their signature, at each priority (wire
 * interface, section F.8).
 */
export interface SolanaFeeLevels {
  readonly kind: "Solana";
  /** the last slot */
  readonly blockNumber: number;
  readonly slow: Level;
  readonly standard: Level;
  readonly fast: Level;
}
