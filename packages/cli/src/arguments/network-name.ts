import { networkSchema } from "@conclave/custody/network";
import { InvalidArgumentError } from "commander";

/** Reads the name of a network of the interface, with or without a node. */
export const networkName = (text: string): string => {
  const network = networkSchema.safeParse(text);
  if (network.success) return network.data;
  throw new InvalidArgumentError(
    "It is no network, such as EthereumSepolia; `conclave status` lists those with a node.",
  );
};

/** Reads names of networks, between commas. */
export const networkNames = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map(networkName);
