/** The network of the chain of a world whose accounts number their transactions. */
export const ACCOUNTS_NETWORK = "EthereumSepolia";
/** The network of the chain of a world whose transactions spend coins: a wallet has several in flight. */
export const COINS_NETWORK = "BitcoinSignet";

/** The networks that a world can have. */
export const WORLD_NETWORKS: readonly string[] = [ACCOUNTS_NETWORK, COINS_NETWORK];
