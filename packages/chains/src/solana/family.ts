import { SOLANA_RULES, solanaAddress } from "@conclave/custody";
import type { ChainFamily } from "../chain.ts";
import { attachSolanaSignature } from "./attach.ts";
import { buildSolana, describeSolana } from "./build.ts";
import { effectsOfSolana } from "./effects.ts";
import { isSameMessage } from "./exclusion.ts";
import { type SolanaNetwork, solanaNetworkSchema } from "./network.ts";
import { givenSolanaBytes } from "./parse-content.ts";
import { readSolanaTransaction } from "./read.ts";
import { readSolanaContent } from "./read-content.ts";
import { SOLANA_REPLACEMENTS } from "./replacements.ts";
import type { SolanaSituation } from "./situation.ts";

/** Solana networks. A transaction whose blockhash is too old is built again, once it is proved that it has not landed. */
export const SOLANA_FAMILY: ChainFamily<SolanaNetwork, SolanaSituation> = {
  ...SOLANA_RULES,
  entrySchema: solanaNetworkSchema,
  rebuilds: true,
  countsTransactions: false,
  chainOf: ({ genesisHash }) => genesisHash,
  cosignersOf: () => [],
  addressOf: (_network, publicKey) => solanaAddress(publicKey),
  build: buildSolana,
  describe: describeSolana,
  read: readSolanaTransaction,
  givenBytes: givenSolanaBytes,
  readContent: readSolanaContent,
  excludes: isSameMessage,
  effectsOf: effectsOfSolana,
  attach: attachSolanaSignature,
  replacements: SOLANA_REPLACEMENTS,
};
