import type { LocalNetwork } from "./local-network.ts";
import { FIRST_NETWORK } from "./network-table.ts";

const EVM_PORT = 8545;
const LEDGER_PORT = 4001;

/** Where the node of a network is found among containers: under the name of its process, in lower case as hosts are named. */
export const containedNodeUrl = ({ family, process }: Pick<LocalNetwork, "family" | "process">): string =>
  `http://${process.toLowerCase()}:${family === FIRST_NETWORK.family ? EVM_PORT : LEDGER_PORT}`;
