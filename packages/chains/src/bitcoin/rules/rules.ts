import { ECDSA_FORMAT, type FamilyRules, SCHNORR_FORMAT } from "@conclave/custody";
import { hexTransactionId, inLowerCase } from "../../rules/transaction-id.ts";
import { BITCOIN_ADDRESS_KEYS, spellBitcoinAddress } from "./address.ts";
import { BITCOIN_EXAMPLES } from "./examples.ts";
import { BITCOIN_NATIVE_DECIMALS, bitcoinParameters } from "./parameters.ts";
import { judgeBitcoinContent, judgeBitcoinTransaction } from "./transaction-judgement.ts";
import { BITCOIN_TRANSFERS } from "./transfer-judgement.ts";
import { judgeBitcoinRecipient } from "./unsuitable-recipients.ts";

const noTokens = (): never => {
  throw new TypeError("Bitcoin has no tokens");
};

/** The rules of Bitcoin's networks for requests and views. */
export const BITCOIN_RULES: FamilyRules = {
  name: "Bitcoin",
  keyFormats: [ECDSA_FORMAT, SCHNORR_FORMAT],
  namesChain: false,
  takesPriority: true,
  ...BITCOIN_TRANSFERS,
  judgeRecipient: judgeBitcoinRecipient,
  judgeTransaction: judgeBitcoinTransaction,
  judgeContent: judgeBitcoinContent,
  // Bitcoin has no Ed25519 keys, and no other keys sign messages of any length without reading them
  takesForConsent: () => false,
  judgeTransactionId: hexTransactionId("", inLowerCase),
  encodesRecovery: false,
  nativeDecimals: BITCOIN_NATIVE_DECIMALS,
  nativeAsset: (network) => bitcoinParameters(network).asset,
  spendsCoins: true,
  spell: spellBitcoinAddress,
  addressKeys: BITCOIN_ADDRESS_KEYS,
  showToken: noTokens,
  showMovement: () => undefined,
  examples: BITCOIN_EXAMPLES,
};
