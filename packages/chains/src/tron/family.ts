import { opaque } from "@conclave/custody";
import type { ChainFamily } from "../chain.ts";
import { exactBytesFamily } from "../exact-bytes/exact-bytes-family.ts";
import { tronAddressOf } from "./address.ts";
import { attachTronSignature } from "./attach.ts";
import { buildTron, shownOfTron } from "./build.ts";
import { TRON_CONTENT } from "./content.ts";
import { effectsOfTronContract } from "./effects.ts";
import { tronExcludes } from "./exclusion.ts";
import { type TronNetwork, tronNetworkSchema } from "./network.ts";
import { tronContractOf } from "./plan.ts";
import { readingOfTron, tronTransferMismatch } from "./read.ts";
import { TRON_RULES } from "./rules/rules.ts";
import type { TronSituation } from "./situation.ts";
import { tronId } from "./transaction.ts";

/** TRON networks. A transaction that expired is built again; only its deadline keeps both from landing. */
export const TRON_FAMILY: ChainFamily<TronNetwork, TronSituation> = exactBytesFamily({
  rules: TRON_RULES,
  content: TRON_CONTENT,
  entrySchema: tronNetworkSchema,
  idOf: tronId,
  chainOf: ({ genesisBlock }) => genesisBlock,
  addressOf: tronAddressOf,
  senderOf: ({ contract }) => contract.from,
  signsForOthers: true,
  transferMismatch: tronTransferMismatch,
  excludes: tronExcludes,
  effectsOfTransfer: (transfer) => effectsOfTronContract(tronContractOf(transfer)),
  effectsOfGiven: (network, { contract, feeLimit }) =>
    network === undefined
      ? opaque("no chain is known that the transaction is for")
      : { ...effectsOfTronContract(contract), fee: feeLimit.toString() },
  irreplaceable: "A transaction of TRON lands within minutes or never: nothing takes its place.",
  build: buildTron,
  shown: shownOfTron,
  readingOf: readingOfTron,
  attach: attachTronSignature,
});
