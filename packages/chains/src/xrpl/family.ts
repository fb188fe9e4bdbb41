import { XRPL_RULES, xrplAddress } from "@conclave/custody";
import type { ChainFamily } from "../chain.ts";
import { attachXrplSignature } from "./attach.ts";
import { buildXrpl, describeXrpl } from "./build.ts";
import { effectsOfXrpl } from "./effects.ts";
import { sequenceExcludes } from "./exclusion.ts";
import { type XrplNetwork, xrplNetworkSchema } from "./network.ts";
import { accountXrplBytes, givenXrplBytes } from "./parse-content.ts";
import { readXrplTransaction } from "./read.ts";
import { readXrplContent } from "./read-content.ts";
import { XRPL_REPLACEMENTS } from "./replacements.ts";
import type { XrplSituation } from "./situation.ts";

/** XRP Ledger networks. A transaction whose ledgers are over is built again; its Sequence keeps two of them apart. */
export const XRPL_FAMILY: ChainFamily<XrplNetwork, XrplSituation> = {
  ...XRPL_RULES,
  entrySchema: xrplNetworkSchema,
  rebuilds: true,
  countsTransactions: true,
  chainOf: ({ networkId }) => String(networkId),
  cosignersOf: () => [],
  addressOf: (_network, publicKey) => xrplAddress(publicKey),
  build: buildXrpl,
  describe: describeXrpl,
  read: readXrplTransaction,
  givenBytes: givenXrplBytes,
  accountOf: accountXrplBytes,
  readContent: readXrplContent,
  excludes: sequenceExcludes,
  effectsOf: effectsOfXrpl,
  attach: attachXrplSignature,
  replacements: XRPL_REPLACEMENTS,
};
