import { EDDSA_FORMAT, type FamilyRules } from "@conclave/custody";
import { exactJudgements } from "../../rules/exact-judgement.ts";
import { plainTransactionId } from "../../rules/transaction-id.ts";
import { parseAlgorandAddress } from "./address.ts";
import { isAlgorandConsent } from "./consent.ts";
import { ALGORAND_EXAMPLES } from "./examples.ts";
import { ALGORAND_NATIVE_ASSET, ALGORAND_NATIVE_DECIMALS } from "./native-asset.ts";
import { judgeAlgorandRecipient } from "./recipients.ts";
import { ALGORAND_TRANSFERS } from "./transfer-judgement.ts";
import { algorandMovementView, algorandTokenOf, algorandTokenView } from "./views.ts";

/** The rules of Algorand networks for requests and views. */
export const ALGORAND_RULES: FamilyRules = {
  name: "Algorand",
  keyFormats: [EDDSA_FORMAT],
  namesChain: true,
  ...ALGORAND_TRANSFERS,
  judgeRecipient: judgeAlgorandRecipient,
  ...exactJudgements({ parse: parseAlgorandAddress, signs: ["Hash", "Message", "Transaction"] }),
  takesForConsent: isAlgorandConsent,
  judgeTransactionId: plainTransactionId((text) => /^[A-Z2-7]{52}$/.test(text)),
  encodesRecovery: false,
  nativeDecimals: ALGORAND_NATIVE_DECIMALS,
  nativeAsset: () => ALGORAND_NATIVE_ASSET,
  // addresses and asset ids have one spelling each
  spell: (address) => address,
  judgeWatched: (address) => parseAlgorandAddress(address, "address"),
  tokenOf: algorandTokenOf,
  showToken: algorandTokenView,
  showMovement: algorandMovementView,
  examples: ALGORAND_EXAMPLES,
};
