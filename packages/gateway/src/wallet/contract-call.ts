import { fail, hasAddresses, judgeNetwork, ok, type Result } from "@conclave/custody";
import { chainOf } from "../chain-request/chain-of.ts";
import type { Dependencies, ReadableChain } from "../dependencies.ts";

const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();

/** The served network of a name in kebab case; any other name unchanged. */
export const networkOfKebab = (name: string, networks: readonly string[]): string =>
  networks.find((network) => kebab(network) === name) ?? name;

/** A chain whose contracts can be called for reading. */
type ChainWithContracts = Required<Pick<ReadableChain, "callContract" | "callFunction">>;

/** @returns NetworkUnknown, NetworkNotEnabled, or NetworkWithoutContracts where contracts cannot be called for reading */
export const chainWithContracts = (
  dependencies: Pick<Dependencies, "chains" | "networks">,
  name: string,
): Result<ChainWithContracts> => {
  const network = judgeNetwork(name, dependencies.networks);
  if (!network.ok) return network;
  const refused = fail("NetworkWithoutContracts", { network: network.value });
  if (!hasAddresses(network.value)) return refused;
  const chain = chainOf(dependencies, network.value);
  if (!chain.ok) return chain;
  const { callContract, callFunction } = chain.value;
  return callContract === undefined || callFunction === undefined
    ? refused
    : ok({ callContract, callFunction });
};
