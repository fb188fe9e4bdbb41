import type { Chain } from "./chain.ts";
import { evmChain } from "./evm/node/node.ts";
import type { Network } from "./network.ts";

export * from "./chain.ts";
export { evmChain } from "./evm/node/node.ts";

/** The chain of a network of any family. */
export const connectChain = (network: Network): Chain => {
  switch (network.family) {
    case "Evm":
      return evmChain(network);
  }
};
