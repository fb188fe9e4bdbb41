import { networkSchema } from "@conclave/custody";

/** What the development chain is to wallets. */
export const DEVELOPMENT_NETWORK = networkSchema.parse("EthereumSepolia");
/** EthereumSepolia's, so that a wallet of that network signs what it would sign there */
export const DEVELOPMENT_CHAIN_ID = 11155111;
