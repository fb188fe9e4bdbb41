import { ECDSA_FORMAT, EDDSA_FORMAT, type FamilyRules } from "@conclave/custody";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { exactJudgements } from "../../rules/exact-judgement.ts";
import { hexTransactionId, inUpperCase } from "../../rules/transaction-id.ts";
import { parseXrplAddress, xrplPublicKey } from "./address.ts";
import { isXrplConsent } from "./consent.ts";
import { XRPL_EXAMPLES } from "./examples.ts";
import { XRPL_NATIVE_ASSET, XRPL_NATIVE_DECIMALS } from "./native-asset.ts";
import { judgeXrplRecipient } from "./recipients.ts";
import { XRPL_TRANSFERS } from "./transfer-judgement.ts";
import { spellXrplAddress, XRPL_ADDRESS_KEYS } from "./x-address.ts";

/** The key as a field in the ledger's form. */
const signingPubKeyOf = (publicKey: string | undefined): { readonly signingPubKey?: string } =>
  publicKey === undefined ? {} : { signingPubKey: bytesToHex(xrplPublicKey(hexToBytes(publicKey))) };

/** The rules of XRP Ledger networks for requests and views. */
export const XRPL_RULES: FamilyRules = {
  name: "Xrpl",
  keyFormats: [EDDSA_FORMAT, ECDSA_FORMAT],
  namesChain: false,
  takesMemo: true,
  ...XRPL_TRANSFERS,
  judgeRecipient: judgeXrplRecipient,
  ...exactJudgements({ parse: parseXrplAddress, signs: ["Hash", "Transaction"], keyOf: signingPubKeyOf }),
  takesForConsent: isXrplConsent,
  judgeTransactionId: hexTransactionId("", inUpperCase),
  encodesRecovery: false,
  nativeDecimals: XRPL_NATIVE_DECIMALS,
  nativeAsset: () => XRPL_NATIVE_ASSET,
  spell: spellXrplAddress,
  addressKeys: XRPL_ADDRESS_KEYS,
  judgeWatched: (address) => parseXrplAddress(address, "address"),
  showToken: () => {
    throw new TypeError("no token of the XRP Ledger is moved here");
  },
  showMovement: () => undefined,
  examples: XRPL_EXAMPLES,
};
