import type { ChainFamily } from "../chain.ts";
import { addressOf } from "./address.ts";
import { attachSignatures } from "./attach.ts";
import { build, describe } from "./build.ts";
import { effectsOf } from "./effects.ts";
import { excludes, exclusionOfNonce } from "./exclusion.ts";
import { withCallersFee } from "./fees/callers-fee.ts";
import { type EvmNetwork, evmNetworkSchema } from "./network.ts";
import { givenBytes } from "./parse-content.ts";
import { readEvmTransaction } from "./read.ts";
import { readContent } from "./read-content.ts";
import { EVM_REPLACEMENTS } from "./replacements.ts";
import { EVM_RULES } from "./rules/rules.ts";
import type { EvmSituation } from "./situation.ts";

/** EVM networks. A request keeps one account nonce, so a dead request has failed, and nothing is built again. */
export const EVM_FAMILY: ChainFamily<EvmNetwork, EvmSituation> = {
  ...EVM_RULES,
  entrySchema: evmNetworkSchema,
  rebuilds: false,
  countsTransactions: true,
  chainOf: ({ chainId }) => String(chainId),
  cosignersOf: () => [],
  addressOf: (_network, publicKey) => addressOf(publicKey),
  build,
  describe,
  read: readEvmTransaction,
  givenBytes,
  readContent,
  excludes,
  exclusionOfNonce,
  effectsOf: (entry, content, isReplacement) =>
    withCallersFee(effectsOf(entry?.chainId, content), entry, content, isReplacement),
  attach: attachSignatures,
  replacements: EVM_REPLACEMENTS,
};
