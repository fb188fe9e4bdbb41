import { opaque } from "@conclave/custody";
import type { ChainFamily } from "../chain.ts";
import { exactBytesFamily } from "../exact-bytes/exact-bytes-family.ts";
import { attachStellarSignature } from "./attach.ts";
import { buildStellar, shownOfStellar } from "./build.ts";
import { STELLAR_CONTENT } from "./content.ts";
import { effectsOfStellarDraft, effectsOfStellarTransfer } from "./effects.ts";
import { stellarExcludes } from "./exclusion.ts";
import { type StellarNetwork, stellarNetworkSchema } from "./network.ts";
import { readingOfStellar, stellarTransferMismatch } from "./read.ts";
import { stellarAddress } from "./rules/address.ts";
import { STELLAR_RULES } from "./rules/rules.ts";
import { judgeStellarSequence } from "./sequence.ts";
import type { StellarSituation } from "./situation.ts";

/** Stellar networks. A transaction that expired is built again; its bytes hold the time, so signers see it too. */
export const STELLAR_FAMILY: ChainFamily<StellarNetwork, StellarSituation> = exactBytesFamily({
  rules: STELLAR_RULES,
  content: STELLAR_CONTENT,
  entrySchema: stellarNetworkSchema,
  chainOf: ({ passphrase }) => passphrase,
  addressOf: stellarAddress,
  senderOf: ({ from }) => from,
  signsForOthers: true,
  transferMismatch: stellarTransferMismatch,
  excludes: stellarExcludes,
  effectsOfTransfer: effectsOfStellarTransfer,
  effectsOfGiven: (network, draft) =>
    network === undefined
      ? opaque("no chain is known that the transaction is for")
      : { ...effectsOfStellarDraft(network, draft), fee: draft.fee.toString() },
  // the chain allows only one replacement: a fee bump around the same transaction, at ten times its fee
  irreplaceable: "A transaction of Stellar lands within minutes or never: nothing takes its place.",
  sequence: { sequenceOf: ({ sequence }) => sequence, judge: judgeStellarSequence },
  build: buildStellar,
  shown: shownOfStellar,
  readingOf: readingOfStellar,
  attach: attachStellarSignature,
});
