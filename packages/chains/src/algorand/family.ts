import type { ChainFamily } from "../chain.ts";
import { exactBytesFamily } from "../exact-bytes/exact-bytes-family.ts";
import { attachAlgorandSignature } from "./attach.ts";
import { buildAlgorand, shownOfAlgorand } from "./build.ts";
import { ALGORAND_CONTENT } from "./content.ts";
import { effectsOfAlgorandDraft, effectsOfAlgorandTransfer } from "./effects.ts";
import { leaseExcludes } from "./exclusion.ts";
import { type AlgorandNetwork, algorandNetworkSchema } from "./network.ts";
import { algorandChainMismatch, algorandTransferMismatch, readingOfAlgorand } from "./read.ts";
import { algorandAddress } from "./rules/address.ts";
import { ALGORAND_RULES } from "./rules/rules.ts";
import type { AlgorandSituation } from "./situation.ts";
import { algorandId } from "./transaction.ts";

/** Algorand networks. A transaction that expired is built again; the lease keeps both from landing. */
export const ALGORAND_FAMILY: ChainFamily<AlgorandNetwork, AlgorandSituation> = exactBytesFamily({
  rules: ALGORAND_RULES,
  content: ALGORAND_CONTENT,
  entrySchema: algorandNetworkSchema,
  idOf: algorandId,
  chainOf: ({ genesisHash }) => genesisHash,
  addressOf: algorandAddress,
  senderOf: ({ from }) => from,
  signsForOthers: true,
  chainMismatch: algorandChainMismatch,
  transferMismatch: algorandTransferMismatch,
  excludes: leaseExcludes,
  effectsOfTransfer: effectsOfAlgorandTransfer,
  effectsOfGiven: (network, draft) => ({
    ...effectsOfAlgorandDraft(network, draft),
    fee: draft.fee.toString(),
  }),
  irreplaceable: "A transaction of Algorand lands within minutes or never: nothing takes its place.",
  build: buildAlgorand,
  shown: shownOfAlgorand,
  readingOf: readingOfAlgorand,
  attach: attachAlgorandSignature,
});
