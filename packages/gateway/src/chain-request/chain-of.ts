import { fail, type Network, ok, type Result } from "@conclave/custody";
import type { Dependencies, ReadableChain } from "../dependencies.ts";

/** The node of a network; NetworkNotEnabled for a wallet of one that this cluster has ceased to serve. */
export const chainOf = (
  { chains, networks }: Pick<Dependencies, "chains" | "networks">,
  network: Network,
): Result<ReadableChain> => {
  const chain = chains.get(network);
  return chain === undefined ? fail("NetworkNotEnabled", { network, networks }) : ok(chain);
};
