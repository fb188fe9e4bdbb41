import { readContent } from "@conclave/chains";
import type { SignerConfig } from "@conclave/cluster";
import type { EnabledNetworks } from "@conclave/platform/config";

/**
 * Reads messages, typed data and transactions that are signed and not sent; transactions of the networks in this
 * signer's own file alone (INV-3).
 */
export const contentReader =
  (networks: EnabledNetworks): SignerConfig["readContent"] =>
  (content) =>
    readContent(networks, content);
