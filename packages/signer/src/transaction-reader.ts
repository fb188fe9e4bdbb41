import { readAuthorised } from "@conclave/chains";
import type { SignerConfig } from "@conclave/cluster";
import { fail } from "@conclave/custody";
import type { EnabledNetworks } from "@conclave/platform/config";

/** Reads transactions of the networks in this signer's own file; any other network is refused (INV-3). */
export const transactionReader = (networks: EnabledNetworks): SignerConfig["readTransaction"] => {
  const byName = new Map(networks.map((network) => [String(network.network), network]));
  return (name, unsigned, authorised) => {
    const network = byName.get(name);
    if (network === undefined) return fail("NetworkNotEnabled", { networks: [...byName.keys()] });
    return readAuthorised(network, unsigned, authorised);
  };
};
