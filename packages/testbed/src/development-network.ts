import { networkSchema } from "@conclave/custody";

/** The network name of the development chain. */
export const DEVELOPMENT_NETWORK = networkSchema.parse("EthereumSepolia");
/** the chain id of EthereumSepolia, so that wallets sign the same bytes as on that network */
export const DEVELOPMENT_CHAIN_ID = 11155111;
