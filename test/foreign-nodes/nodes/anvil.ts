import { startAnvil } from "@conclave/chains/testing";
import { parseEther } from "viem";
import type { ForeignKind, RunningNode, WhichChain } from "../node.ts";
import { chainIdOf, EVM_KIND, evmEntry, evmVersion } from "./evm-chain.ts";

const CHAIN_ID = 41_337;

const start = async (_path: string, which: WhichChain): Promise<RunningNode> => {
  const chainId = chainIdOf(CHAIN_ID, which);
  const anvil = await startAnvil(chainId);
  await anvil.control.setAutomine(false);
  const mine = (blocks: number) => anvil.control.mine({ blocks });
  return {
    url: anvil.rpcUrl,
    version: await evmVersion(anvil.rpcUrl),
    entry: evmEntry(chainId, { confirmations: 1 }),
    fund: async (address, units) => {
      await anvil.control.setBalance({ address: `0x${address.slice(2)}`, value: units + parseEther("1") });
      await mine(1);
    },
    mine,
    reorganise: () => anvil.reorganise(1),
    stop: () => anvil.stop(),
  };
};

/** anvil, the node of clusters on a laptop. */
export const ANVIL: ForeignKind = {
  ...EVM_KIND,
  name: "anvil",
  variable: "CONCLAVE_ANVIL",
  names: "its binary",
  isBundled: true,
  network: "Bsc",
  confirmsAtOnce: true,
  finalRefusal: "exceeds block gas limit",
  start,
};
