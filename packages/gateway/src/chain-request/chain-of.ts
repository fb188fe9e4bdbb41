import { fail, type Network, ok, type Result } from "@conclave/custody";
import type { Dependencies, ReadableChain } from "../dependencies.ts";

/** The node of a network; NetworkNotEnabled for a wallet on a network that this cluster no longer serves. */
export const chainOf = (
  { chains, networks }: Pick<Dependencies, "chains" | "networks">,
  network: Network,
): Result<ReadableChain> => {
  const chain = chains.get(network);
  return chain === undefined ? fail("NetworkNotEnabled", { network, networks }) : ok(chain);
};
