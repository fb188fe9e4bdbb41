import type { ForeignKind } from "./node.ts";
import { ALGOD } from "./nodes/algod.ts";
import { ANVIL } from "./nodes/anvil.ts";
import { BITCOIND } from "./nodes/bitcoind.ts";
import { GANACHE } from "./nodes/ganache.ts";
import { GETH } from "./nodes/geth.ts";
import { HARDHAT } from "./nodes/hardhat.ts";
import { JAVA_TRON } from "./nodes/java-tron.ts";

/** All kinds of nodes to test, in the order of the table. */
export const FOREIGN_KINDS: readonly ForeignKind[] = [
  ANVIL,
  GETH,
  HARDHAT,
  GANACHE,
  BITCOIND,
  JAVA_TRON,
  ALGOD,
];
