/** EIP-1559 fees of a priority, in wei a unit of gas, as digits. */
interface Level {
  readonly maxPriorityFeePerGas: string;
  readonly maxFeePerGas: string;
}

/** What transactions on an EVM network cost now, at each priority (wire interface, section F.8). */
export interface EvmFeeLevels {
  readonly kind: "Eip1559";
  /** of the last block */
  readonly blockNumber: number;
  /** of the next block, wei a unit of gas, as digits; zero on a chain from before EIP-1559 */
  readonly baseFeePerGas: string;
  readonly slow: Level;
  readonly standard: Level;
  readonly fast: Level;
}
