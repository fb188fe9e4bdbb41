import { TRON_RULES } from "@conclave/custody";
import type { ChainFamily } from "../chain.ts";
import { tronAddressOf } from "./address.ts";
import { attachTronSignature } from "./attach.ts";
import { buildTron, describeTron } from "./build.ts";
import { effectsOfTron } from "./effects.ts";
import { tronExcludes } from "./exclusion.ts";
import { type TronNetwork, tronNetworkSchema } from "./network.ts";
import { accountTronBytes, givenTronBytes } from "./parse-content.ts";
import { readTronTransaction } from "./read.ts";
import { readTronContent } from "./read-content.ts";
import { TRON_REPLACEMENTS } from "./replacements.ts";
import type { TronSituation } from "./situation.ts";
import { tronId } from "./transaction.ts";

/** TRON networks. A transaction whose expiration is past is built again; its deadline alone keeps two of them apart. */
export const TRON_FAMILY: ChainFamily<TronNetwork, TronSituation> = {
  ...TRON_RULES,
  entrySchema: tronNetworkSchema,
  rebuilds: true,
  countsTransactions: false,
  idOf: tronId,
  chainOf: ({ genesisBlock }) => genesisBlock,
  cosignersOf: () => [],
  addressOf: (_network, publicKey) => tronAddressOf(publicKey),
  build: buildTron,
  describe: describeTron,
  read: readTronTransaction,
  givenBytes: givenTronBytes,
  accountOf: accountTronBytes,
  readContent: readTronContent,
  excludes: tronExcludes,
  effectsOf: (network, content) => effectsOfTron(network !== undefined, content),
  attach: attachTronSignature,
  replacements: TRON_REPLACEMENTS,
};
