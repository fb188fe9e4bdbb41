import type { LocalNetwork } from "./local-network.ts";
import { FIRST_NETWORK } from "./network-table.ts";

const EVM_PORT = 8545;
const LEDGER_PORT = 4001;

/**
 * The URL of a network's node among containers: its host is the process name in lower case, because host names are
 * lower-case.
 */
export const containedNodeUrl = ({ family, process }: Pick<LocalNetwork, "family" | "process">): string =>
  `http://${process.toLowerCase()}:${family === FIRST_NETWORK.family ? EVM_PORT : LEDGER_PORT}`;
