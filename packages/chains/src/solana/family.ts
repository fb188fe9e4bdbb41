import type { ChainFamily } from "../chain.ts";
import { exactBytesFamily } from "../exact-bytes/exact-bytes-family.ts";
import { attachSolanaSignature } from "./attach.ts";
import { buildSolana, shownOfSolana } from "./build.ts";
import { SOLANA_CONTENT } from "./content.ts";
import { effectsOfSolanaDraft, effectsOfSolanaTransfer } from "./effects.ts";
import { isSameMessage } from "./exclusion.ts";
import { type SolanaNetwork, solanaNetworkSchema } from "./network.ts";
import { readingOfSolana } from "./read.ts";
import { solanaTransferMismatch } from "./read-transfer.ts";
import { solanaAddress } from "./rules/address.ts";
import { SOLANA_RULES } from "./rules/rules.ts";
import type { SolanaSituation } from "./situation.ts";

/** Solana networks. A transaction with an expired blockhash is built again, once it is proved that it has not landed. */
export const SOLANA_FAMILY: ChainFamily<SolanaNetwork, SolanaSituation> = exactBytesFamily({
  rules: SOLANA_RULES,
  content: SOLANA_CONTENT,
  entrySchema: solanaNetworkSchema,
  chainOf: ({ genesisHash }) => genesisHash,
  addressOf: solanaAddress,
  senderOf: ({ from }) => from,
  signsForOthers: false,
  transferMismatch: solanaTransferMismatch,
  excludes: isSameMessage,
  effectsOfTransfer: effectsOfSolanaTransfer,
  effectsOfGiven: (_network, draft) => effectsOfSolanaDraft(draft),
  irreplaceable: "A transaction of Solana lands within a minute or two or never: nothing takes its place.",
  build: buildSolana,
  shown: shownOfSolana,
  readingOf: readingOfSolana,
  attach: attachSolanaSignature,
});
