import type { GuardOptions } from "./breaker/guard.ts";
import { type GuardedNode, guardNode } from "./breaker/guarded-node.ts";
import type { ChainNode, NetworkEntry } from "./chain.ts";
import { withSecondNode } from "./second-node.ts";

/**
 * Connects the node of a network, and the second node if its entry names one. Each has its own circuit breaker, so that a
 * silent second node blocks no calls to the first.
 * @param connect as of a registry of nodes
 * @param options `onSilence` reports only the first node
 */
export const connectGuarded = (
  connect: (entry: NetworkEntry) => ChainNode,
  entry: NetworkEntry,
  options: GuardOptions,
): GuardedNode => {
  const first = guardNode(connect(entry), options);
  if (entry.second === undefined) return first;
  const { after, monotonicMs } = options;
  const second = guardNode(connect(entry.second), { after, monotonicMs });
  return {
    node: withSecondNode(first.node, second.node),
    stop: () => {
      first.stop();
      second.stop();
    },
  };
};
