import type { EvmNetwork } from "@conclave/chains/evm";
import { makeNodeRegistry, type NodeRegistry } from "@conclave/chains/node";
import { type MemoryChain, openMemoryChain, SEPOLIA } from "@conclave/chains/testing";
import { fail, type Network, networkSchema, type World } from "@conclave/custody";
import { remote } from "../link/remote.ts";
import type { ServerLink } from "../link/server-link.ts";

/** The time between two blocks. */
export const BLOCK_MS = 1_000;

/** The one network of a world. */
export const SIMULATED_NETWORK: string = SEPOLIA.network;

/** The entry of the simulated network in the networks file. */
export type SimulatedNetwork = EvmNetwork & { readonly network: Network };

/** An EVM chain that makes a block each second, and its node. */
export interface SimulatedChain {
  readonly chain: MemoryChain;
  readonly entry: SimulatedNetwork;
  /** The node as a process reaches it over its link. */
  readonly nodesOver: (link: ServerLink) => NodeRegistry;
}

export const openSimulatedChain = (world: World): SimulatedChain => {
  const chain = openMemoryChain({ world, chainId: SEPOLIA.chainId, blockMs: BLOCK_MS });
  const entry = {
    ...SEPOLIA,
    network: networkSchema.parse(SEPOLIA.network),
    rpcUrl: "http://127.0.0.1:8545",
    confirmations: 1,
  };
  return {
    chain,
    entry,
    nodesOver: (link) => makeNodeRegistry({ Evm: () => remote(chain.connect(entry), link, silence) }),
  };
};

const NO_ANSWER = "The chain node does not answer.";

/** A call's result in the form of a client of a real node that waited in vain. */
const silence = (call: string): unknown =>
  call === "broadcast" ? { kind: "refused", reason: NO_ANSWER } : fail("ServiceUnavailable", {}, NO_ANSWER);
