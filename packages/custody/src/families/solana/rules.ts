import type { FamilyRules } from "../rules.ts";
import { isSolanaConsent } from "./consent.ts";
import { SOLANA_EXAMPLES } from "./examples.ts";
import { judgeSolanaKeyless } from "./keyless.ts";
import { SOLANA_NATIVE_ASSET, SOLANA_NATIVE_DECIMALS } from "./native-asset.ts";
import { judgeSolanaContent, judgeSolanaTransaction } from "./transaction-judgement.ts";
import { judgeSolanaTransfer, SOLANA_TRANSFER_KINDS } from "./transfer-judgement.ts";
import { solanaMovementView, solanaTokenView } from "./views.ts";

/** The rules of Solana networks for requests and views. */
export const SOLANA_RULES: FamilyRules = {
  name: "Solana",
  transferKinds: SOLANA_TRANSFER_KINDS,
  judgeTransfer: judgeSolanaTransfer,
  judgeRecipient: judgeSolanaKeyless,
  judgeTransaction: judgeSolanaTransaction,
  judgeContent: judgeSolanaContent,
  takesForConsent: isSolanaConsent,
  encodesRecovery: false,
  nativeDecimals: SOLANA_NATIVE_DECIMALS,
  nativeAsset: () => SOLANA_NATIVE_ASSET,
  // an address has one spelling, and so has a token
  spell: (address) => address,
  showToken: solanaTokenView,
  showMovement: solanaMovementView,
  examples: SOLANA_EXAMPLES,
};
