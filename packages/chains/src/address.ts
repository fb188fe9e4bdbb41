import { familyOf, hasAddresses, type Network } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { addressOf } from "./evm/address.ts";

/**
 * The address that a key has on a network.
 * @param publicKey lower-case hex, as the signers made it
 * @returns undefined on a pseudo network, which has none
 * @throws for a network of a family whose chain is not built: no cluster serves one
 */
export const addressOn = (network: Network, publicKey: string): string | undefined => {
  if (!hasAddresses(network)) return undefined;
  if (familyOf(network) !== "Evm") throw new Error(`${network} is of a family whose addresses are not known`);
  return addressOf(hexToBytes(publicKey));
};
