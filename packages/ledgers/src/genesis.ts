// Values of simulated chains for a network's entry in the networks file. This module does not load the ledgers.
export { makeAlgodGenesis } from "./algorand/genesis.ts";
export { makeBitcoindGenesis } from "./bitcoin/genesis.ts";
export { makeAgaveGenesis } from "./solana/genesis.ts";
export { makeJavaTronGenesis } from "./tron/genesis.ts";
