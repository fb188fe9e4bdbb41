import type { ChainFamily } from "../chain.ts";
import { attachBitcoinSignatures, signedPsbt } from "./attach.ts";
import { buildBitcoin, describeBitcoin } from "./build.ts";
import { effectsOfBitcoin } from "./effects.ts";
import { sharesCoin } from "./exclusion.ts";
import { judgeGivenContent, judgeGivenTransaction } from "./judge-given.ts";
import { type BitcoinNetwork, bitcoinNetworkSchema } from "./network.ts";
import { givenPsbt } from "./parse-content.ts";
import { idOfPsbt } from "./psbt-id.ts";
import { readBitcoinTransaction } from "./read.ts";
import { readBitcoinContent } from "./read-content.ts";
import { BITCOIN_REPLACEMENTS } from "./replacements.ts";
import { bitcoinAddress } from "./rules/address.ts";
import { BITCOIN_RULES } from "./rules/rules.ts";
import type { BitcoinSituation } from "./situation.ts";

/**
 * Bitcoin's networks. A transaction never expires: it is dead once a final block holds another transaction that spends one of
 * its coins. Either the wallet's key signed that one elsewhere, or it is a replacement; so a dead transaction has failed, and
 * nothing is built again.
 */
export const BITCOIN_FAMILY: ChainFamily<BitcoinNetwork, BitcoinSituation> = {
  ...BITCOIN_RULES,
  entrySchema: bitcoinNetworkSchema,
  rebuilds: false,
  countsTransactions: false,
  idOf: idOfPsbt,
  chainOf: ({ genesisHash }) => genesisHash,
  cosignersOf: () => [],
  addressOf: bitcoinAddress,
  judgeTransaction: judgeGivenTransaction,
  judgeContent: judgeGivenContent,
  build: buildBitcoin,
  describe: describeBitcoin,
  read: readBitcoinTransaction,
  givenBytes: givenPsbt,
  readContent: readBitcoinContent,
  excludes: sharesCoin,
  effectsOf: effectsOfBitcoin,
  attach: attachBitcoinSignatures,
  signedContent: signedPsbt,
  replacements: BITCOIN_REPLACEMENTS,
};
