import { EDDSA_FORMAT, type FamilyRules } from "@conclave/custody";
import { exactJudgements } from "../../rules/exact-judgement.ts";
import { hexTransactionId, inLowerCase } from "../../rules/transaction-id.ts";
import { parseStellarAccount } from "./address.ts";
import { mayBeStellarConsent } from "./consent.ts";
import { STELLAR_EXAMPLES } from "./examples.ts";
import { STELLAR_DECIMALS, STELLAR_NATIVE_ASSET } from "./native-asset.ts";
import { judgeStellarRecipient } from "./recipients.ts";
import { STELLAR_TRANSFERS } from "./transfer-judgement.ts";
import { stellarMovementView, stellarTokenOf, stellarTokenView } from "./views.ts";

/** The rules of Stellar networks for requests and views. */
export const STELLAR_RULES: FamilyRules = {
  name: "Stellar",
  keyFormats: [EDDSA_FORMAT],
  namesChain: true,
  takesMemo: true,
  ...STELLAR_TRANSFERS,
  judgeRecipient: judgeStellarRecipient,
  ...exactJudgements({ parse: parseStellarAccount, signs: ["Hash", "Message", "Transaction"] }),
  // a signed transaction is a bare hash, which looks like any other: see mayTakeForConsent
  takesForConsent: () => false,
  mayTakeForConsent: mayBeStellarConsent,
  judgeTransactionId: hexTransactionId("", inLowerCase),
  encodesRecovery: false,
  nativeDecimals: STELLAR_DECIMALS,
  nativeAsset: () => STELLAR_NATIVE_ASSET,
  // addresses and assets have one spelling each
  spell: (address) => address,
  judgeWatched: (address) => parseStellarAccount(address, "address"),
  tokenOf: stellarTokenOf,
  showToken: stellarTokenView,
  showMovement: stellarMovementView,
  examples: STELLAR_EXAMPLES,
};
