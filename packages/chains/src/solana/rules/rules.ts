import { EDDSA_FORMAT, type FamilyRules } from "@conclave/custody";
import { exactJudgements } from "../../rules/exact-judgement.ts";
import { plainTransactionId } from "../../rules/transaction-id.ts";
import { isSolanaSignature, parseSolanaAddress } from "./address.ts";
import { isSolanaConsent } from "./consent.ts";
import { SOLANA_EXAMPLES } from "./examples.ts";
import { judgeSolanaKeyless } from "./keyless.ts";
import { SOLANA_NATIVE_ASSET, SOLANA_NATIVE_DECIMALS } from "./native-asset.ts";
import { SOLANA_TRANSFERS } from "./transfer-judgement.ts";
import { solanaMovementView, solanaTokenOf, solanaTokenView } from "./views.ts";

/** The rules of Solana networks for requests and views. */
export const SOLANA_RULES: FamilyRules = {
  name: "Solana",
  keyFormats: [EDDSA_FORMAT],
  namesChain: false,
  takesPriority: true,
  ...SOLANA_TRANSFERS,
  judgeRecipient: judgeSolanaKeyless,
  ...exactJudgements({ parse: parseSolanaAddress, signs: ["Hash", "Message", "Transaction"] }),
  takesForConsent: isSolanaConsent,
  judgeTransactionId: plainTransactionId(isSolanaSignature),
  encodesRecovery: false,
  nativeDecimals: SOLANA_NATIVE_DECIMALS,
  nativeAsset: () => SOLANA_NATIVE_ASSET,
  // addresses and tokens have one spelling each
  spell: (address) => address,
  judgeWatched: (address) => parseSolanaAddress(address, "address"),
  tokenOf: solanaTokenOf,
  showToken: solanaTokenView,
  showMovement: solanaMovementView,
  examples: SOLANA_EXAMPLES,
};
