import { ALGORAND_RULES, algorandAddress } from "@conclave/custody";
import type { ChainFamily } from "../chain.ts";
import { attachAlgorandSignature } from "./attach.ts";
import { buildAlgorand, describeAlgorand } from "./build.ts";
import { effectsOfAlgorand } from "./effects.ts";
import { leaseExcludes } from "./exclusion.ts";
import { type AlgorandNetwork, algorandNetworkSchema } from "./network.ts";
import { accountAlgorandBytes, givenAlgorandBytes } from "./parse-content.ts";
import { readAlgorandTransaction } from "./read.ts";
import { readAlgorandContent } from "./read-content.ts";
import { ALGORAND_REPLACEMENTS } from "./replacements.ts";
import type { AlgorandSituation } from "./situation.ts";
import { algorandId } from "./transaction.ts";

/** Algorand networks. A transaction whose rounds are over is built again; the lease keeps two of them apart. */
export const ALGORAND_FAMILY: ChainFamily<AlgorandNetwork, AlgorandSituation> = {
  ...ALGORAND_RULES,
  entrySchema: algorandNetworkSchema,
  rebuilds: true,
  countsTransactions: false,
  idOf: algorandId,
  chainOf: ({ genesisHash }) => genesisHash,
  cosignersOf: () => [],
  addressOf: (_network, publicKey) => algorandAddress(publicKey),
  build: buildAlgorand,
  describe: describeAlgorand,
  read: readAlgorandTransaction,
  givenBytes: givenAlgorandBytes,
  accountOf: accountAlgorandBytes,
  readContent: readAlgorandContent,
  excludes: leaseExcludes,
  effectsOf: effectsOfAlgorand,
  attach: attachAlgorandSignature,
  replacements: ALGORAND_REPLACEMENTS,
};
