import { STELLAR_RULES, stellarAddress } from "@conclave/custody";
import type { ChainFamily } from "../chain.ts";
import { attachStellarSignature } from "./attach.ts";
import { buildStellar, describeStellar } from "./build.ts";
import { effectsOfStellar } from "./effects.ts";
import { stellarExcludes } from "./exclusion.ts";
import { type StellarNetwork, stellarNetworkSchema } from "./network.ts";
import { accountStellarBytes, givenStellarBytes } from "./parse-content.ts";
import { readStellarTransaction } from "./read.ts";
import { readStellarContent } from "./read-content.ts";
import { STELLAR_REPLACEMENTS } from "./replacements.ts";
import type { StellarSituation } from "./situation.ts";

/** Stellar networks. A transaction whose time is over is built again; the time stands in its bytes, for signers as well. */
export const STELLAR_FAMILY: ChainFamily<StellarNetwork, StellarSituation> = {
  ...STELLAR_RULES,
  entrySchema: stellarNetworkSchema,
  rebuilds: true,
  countsTransactions: true,
  chainOf: ({ passphrase }) => passphrase,
  cosignersOf: () => [],
  addressOf: (_network, publicKey) => stellarAddress(publicKey),
  build: buildStellar,
  describe: describeStellar,
  read: readStellarTransaction,
  givenBytes: givenStellarBytes,
  accountOf: accountStellarBytes,
  readContent: readStellarContent,
  excludes: stellarExcludes,
  effectsOf: effectsOfStellar,
  attach: attachStellarSignature,
  replacements: STELLAR_REPLACEMENTS,
};
