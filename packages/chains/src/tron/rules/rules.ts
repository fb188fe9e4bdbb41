import { ECDSA_FORMAT, type FamilyRules } from "@conclave/custody";
import { exactJudgements } from "../../rules/exact-judgement.ts";
import { hexTransactionId, inLowerCase } from "../../rules/transaction-id.ts";
import { parseTronAddress } from "./address.ts";
import { TRON_EXAMPLES } from "./examples.ts";
import { judgeTronKeyless } from "./keyless.ts";
import { TRON_NATIVE_ASSET, TRON_NATIVE_DECIMALS } from "./native-asset.ts";
import { TRON_TRANSFERS } from "./transfer-judgement.ts";
import { tronMovementView, tronTokenOf, tronTokenView } from "./views.ts";

/** The rules of TRON networks for requests and views. */
export const TRON_RULES: FamilyRules = {
  name: "Tron",
  keyFormats: [ECDSA_FORMAT],
  namesChain: false,
  ...TRON_TRANSFERS,
  judgeRecipient: judgeTronKeyless,
  ...exactJudgements({ parse: parseTronAddress, signs: ["Hash", "Transaction"] }),
  // only Ed25519 keys sign messages as they are, and TRON has no Ed25519 keys
  takesForConsent: () => false,
  judgeTransactionId: hexTransactionId("", inLowerCase),
  encodesRecovery: true,
  nativeDecimals: TRON_NATIVE_DECIMALS,
  nativeAsset: () => TRON_NATIVE_ASSET,
  // addresses and token ids have one spelling each
  spell: (address) => address,
  judgeWatched: (address) => parseTronAddress(address, "address"),
  tokenOf: tronTokenOf,
  showToken: tronTokenView,
  showMovement: tronMovementView,
  examples: TRON_EXAMPLES,
};
