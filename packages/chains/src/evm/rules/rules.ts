import { ECDSA_FORMAT, type FamilyRules } from "@conclave/custody";
import { hexTransactionId, inLowerCase } from "../../rules/transaction-id.ts";
import { judgeEvmWatched } from "./address.ts";
import { judgeEvmContent } from "./content-judgement.ts";
import { EVM_EXAMPLES } from "./examples.ts";
import { EVM_NATIVE_DECIMALS, evmNativeAsset } from "./native-asset.ts";
import { judgeEvmRecipient } from "./recipient.ts";
import { judgeEvmTransaction } from "./transaction-judgement.ts";
import { EVM_TRANSFERS } from "./transfer-judgement.ts";
import { evmMovementView, evmTokenOf, evmTokenView } from "./views.ts";

/** The rules of EVM networks for requests and views. */
export const EVM_RULES: FamilyRules = {
  name: "Evm",
  keyFormats: [ECDSA_FORMAT],
  namesChain: true,
  takesPriority: true,
  ...EVM_TRANSFERS,
  judgeRecipient: (_network, transfer) => judgeEvmRecipient(transfer),
  judgeTransaction: (_network, body) => judgeEvmTransaction(body),
  judgeContent: judgeEvmContent,
  // only Ed25519 keys sign messages as they are, and EVM has no Ed25519 keys
  takesForConsent: () => false,
  judgeTransactionId: hexTransactionId("0x", inLowerCase),
  encodesRecovery: true,
  nativeDecimals: EVM_NATIVE_DECIMALS,
  nativeAsset: evmNativeAsset,
  spell: (address) => address.toLowerCase(),
  judgeWatched: judgeEvmWatched,
  tokenOf: evmTokenOf,
  showToken: evmTokenView,
  showMovement: evmMovementView,
  examples: EVM_EXAMPLES,
};
