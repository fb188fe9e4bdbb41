import type { EvmFeeLevels } from "@conclave/custody";
import { getBlockNumber } from "viem/actions";
import { feesFor } from "../fees/fees.ts";
import type { EvmNetwork } from "../network.ts";
import type { GasFees } from "../rules/replacement-fees.ts";
import { lookAtBlocks } from "./look-around.ts";
import type { Rpc } from "./rpc.ts";

const shown = ({ maxPriorityFeePerGas, maxFeePerGas }: GasFees) => ({
  maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
  maxFeePerGas: maxFeePerGas.toString(),
});

/**
 * The fees with which transactions of each priority would be built now. Without a base fee transactions are legacy
 * ones, and both numbers of a level are the gas price.
 *
 * @throws viem's errors when the node does not answer
 */
export const feeLevels = async (rpc: Rpc, network: EvmNetwork): Promise<EvmFeeLevels> => {
  const [blockNumber, { market }] = await Promise.all([
    getBlockNumber(rpc, { cacheTime: 0 }),
    lookAtBlocks(rpc, network),
  ]);
  return {
    kind: "Eip1559",
    blockNumber: Number(blockNumber),
    baseFeePerGas: (market.nextBaseFee ?? 0n).toString(),
    slow: shown(feesFor("Slow", market)),
    standard: shown(feesFor("Standard", market)),
    fast: shown(feesFor("Fast", market)),
  };
};
