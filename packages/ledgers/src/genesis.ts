// The fields of a network's entry about its simulated chain. It loads without the ledgers.
export { makeAlgodGenesis } from "./algorand/genesis.ts";
export { makeBitcoindGenesis } from "./bitcoin/genesis.ts";
export { makeAgaveGenesis } from "./solana/genesis.ts";
export { makeJavaTronGenesis } from "./tron/genesis.ts";
