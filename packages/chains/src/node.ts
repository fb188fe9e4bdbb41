import type { NetworkFamily } from "@conclave/custody";
import { algorandNode } from "./algorand/node/node.ts";
import { bitcoinNode } from "./bitcoin/node/node.ts";
import { type NodeSurroundings, processSurroundings } from "./breaker/node/surroundings.ts";
import type { ChainNode, NetworkEntry } from "./chain.ts";
import { evmNode } from "./evm/node/node.ts";
import { solanaNode } from "./solana/node/node.ts";
import { stellarNode } from "./stellar/node/node.ts";
import { tronNode } from "./tron/node/node.ts";
import { xrplNode } from "./xrpl/node/node.ts";

export { type GuardedNode, guardNode } from "./breaker/guarded-node.ts";
export type { NodeSurroundings } from "./breaker/node/surroundings.ts";
export type * from "./chain.ts";
export { connectGuarded } from "./connect-guarded.ts";

/** The function that connects a network's node, by family. */
export type NodeConnectors = Readonly<
  Partial<Record<NetworkFamily, (entry: never, surroundings: NodeSurroundings) => ChainNode>>
>;

/** Connects the nodes of networks. A plain value, like the registry of families. */
export interface NodeRegistry {
  /** @throws when the family is not built in */
  connect(entry: NetworkEntry): ChainNode;
}

/** @param surroundings by which all its nodes are reached */
export const makeNodeRegistry = (
  connectors: NodeConnectors,
  surroundings: NodeSurroundings = processSurroundings,
): NodeRegistry => ({
  connect: (entry) => {
    // each connector receives only entries of its own family
    const connect = connectors[entry.family] as
      | ((entry: NetworkEntry, surroundings: NodeSurroundings) => ChainNode)
      | undefined;
    if (connect === undefined) throw new Error(`${entry.network} is of a family that is not built`);
    return connect(entry, surroundings);
  },
});

const CONNECTORS: NodeConnectors = {
  Evm: evmNode,
  Algorand: algorandNode,
  Xrpl: xrplNode,
  Solana: solanaNode,
  Stellar: stellarNode,
  Bitcoin: bitcoinNode,
  Tron: tronNode,
};

/** The nodes of the families that are built in, over a network, a clock and timers that are handed in. */
export const nodesOver = (surroundings: NodeSurroundings): NodeRegistry =>
  makeNodeRegistry(CONNECTORS, surroundings);

/** The same over those of this process. */
export const NODES: NodeRegistry = nodesOver(processSurroundings);
