interface Level {
  /** satoshis a virtual byte, as digits with at most three decimals */
  readonly feeRate: string;
  /** blocks within which it is expected to land */
  readonly blockHorizon: number;
}

/** The current fees of transactions on a Bitcoin network, at each priority (wire interface, section F.8). */
export interface BitcoinFeeLevels {
  readonly kind: "Bitcoin";
  /** of the last block */
  readonly blockNumber: number;
  readonly slow: Level;
  readonly standard: Level;
  readonly fast: Level;
}
