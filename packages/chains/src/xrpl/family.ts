import type { ChainFamily } from "../chain.ts";
import { exactBytesFamily } from "../exact-bytes/exact-bytes-family.ts";
import { attachXrplSignature } from "./attach.ts";
import { buildXrpl, shownOfXrpl } from "./build.ts";
import { XRPL_CONTENT } from "./content.ts";
import { effectsOfXrplDraft, effectsOfXrplTransfer } from "./effects.ts";
import { sequenceExcludes } from "./exclusion.ts";
import { type XrplNetwork, xrplNetworkSchema } from "./network.ts";
import {
  readingOfXrpl,
  xrplAccountMismatch,
  xrplChainMismatch,
  xrplKeyMismatch,
  xrplTransferMismatch,
} from "./read.ts";
import { xrplAddress } from "./rules/address.ts";
import { XRPL_RULES } from "./rules/rules.ts";
import { judgeXrplSequence } from "./sequence.ts";
import type { XrplSituation } from "./situation.ts";

/** XRP Ledger networks. A transaction that expired is built again; its Sequence keeps both from landing. */
export const XRPL_FAMILY: ChainFamily<XrplNetwork, XrplSituation> = exactBytesFamily({
  rules: XRPL_RULES,
  content: XRPL_CONTENT,
  entrySchema: xrplNetworkSchema,
  chainOf: ({ networkId }) => String(networkId),
  addressOf: xrplAddress,
  senderOf: ({ from }) => from,
  signsForOthers: true,
  chainMismatch: xrplChainMismatch,
  transferMismatch: xrplTransferMismatch,
  accountMismatch: xrplAccountMismatch,
  toSignMismatch: xrplKeyMismatch,
  excludes: sequenceExcludes,
  effectsOfTransfer: effectsOfXrplTransfer,
  effectsOfGiven: (network, draft) => ({ ...effectsOfXrplDraft(network, draft), fee: draft.fee.toString() }),
  irreplaceable: "A transaction of the XRP Ledger lands within minutes or never: nothing takes its place.",
  sequence: { sequenceOf: ({ sequence }) => BigInt(sequence), judge: judgeXrplSequence },
  build: buildXrpl,
  shown: shownOfXrpl,
  readingOf: readingOfXrpl,
  attach: attachXrplSignature,
});
