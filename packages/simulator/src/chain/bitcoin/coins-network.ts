import { BITCOIN_SIGNET } from "@conclave/chains/testing";

/** The network of the chain of a world whose transactions spend coins: a wallet has several in flight. */
export const COINS_NETWORK: string = BITCOIN_SIGNET.network;
