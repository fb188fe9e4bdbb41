import type { GasFees } from "@conclave/custody";
import { getBlockNumber } from "viem/actions";
import { feesFor } from "../fees/fees.ts";
import type { Rpc } from "./rpc.ts";
import { feeMarket } from "./situation.ts";

/** What transactions cost now, at each priority (wire interface, section F.8). Wei a unit of gas. */
export interface FeeLevels {
  /** of the last block */
  readonly blockNumber: bigint;
  /** of the next block; zero on a chain from before EIP-1559 */
  readonly baseFeePerGas: bigint;
  readonly slow: GasFees;
  readonly standard: GasFees;
  readonly fast: GasFees;
}

/**
 * The very fees that transactions with these priorities are built with at this moment.
 * @throws viem's errors when the node does not answer
 */
export const feeLevels = async (rpc: Rpc): Promise<FeeLevels> => {
  const [blockNumber, market] = await Promise.all([getBlockNumber(rpc, { cacheTime: 0 }), feeMarket(rpc)]);
  return {
    blockNumber,
    baseFeePerGas: market.nextBaseFee ?? 0n,
    slow: feesFor("Slow", market),
    standard: feesFor("Standard", market),
    fast: feesFor("Fast", market),
  };
};
