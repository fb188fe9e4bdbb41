import type { FamilyRules } from "../rules.ts";
import { isXrplConsent } from "./consent.ts";
import { XRPL_EXAMPLES } from "./examples.ts";
import { XRPL_NATIVE_ASSET, XRPL_NATIVE_DECIMALS } from "./native-asset.ts";
import { judgeXrplRecipient } from "./recipients.ts";
import { judgeXrplContent, judgeXrplTransaction } from "./transaction-judgement.ts";
import { judgeXrplTransfer, XRPL_TRANSFER_KINDS } from "./transfer-judgement.ts";
import { spellXrplAddress, XRPL_ADDRESS_KEYS } from "./x-address.ts";

/** The rules of XRP Ledger networks for requests and views. */
export const XRPL_RULES: FamilyRules = {
  name: "Xrpl",
  transferKinds: XRPL_TRANSFER_KINDS,
  judgeTransfer: judgeXrplTransfer,
  judgeRecipient: judgeXrplRecipient,
  judgeTransaction: judgeXrplTransaction,
  judgeContent: judgeXrplContent,
  takesForConsent: isXrplConsent,
  encodesRecovery: false,
  nativeDecimals: XRPL_NATIVE_DECIMALS,
  nativeAsset: () => XRPL_NATIVE_ASSET,
  spell: spellXrplAddress,
  addressKeys: XRPL_ADDRESS_KEYS,
  showToken: () => {
    throw new TypeError("no token of the XRP Ledger is moved here");
  },
  showMovement: () => undefined,
  examples: XRPL_EXAMPLES,
};
