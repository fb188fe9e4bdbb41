// Simulated ledgers for tests of node clients and of code that uses them.
export { issueAlgorandAsset } from "./algorand-asset.ts";
export { openScriptedLedger, type ScriptedLedger } from "./scripted-ledger.ts";
export {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  SOLANA_FINAL,
  solanaRefusal,
} from "./solana-ledger.ts";
export {
  horizonPage,
  issueStellarAsset,
  openStellarLedger,
  type ScriptedStellarLedger,
  STELLAR_KEYPAIRS,
} from "./stellar-ledger.ts";
export { makeTronTokens, openTronLedger, type ScriptedTronLedger, TRON_TOKENS } from "./tron-ledger.ts";
export { WALLET_SAMPLES, type WalletSample } from "./wallet-samples.ts";
export { openAgedXrpLedger, type ScriptedXrpLedger, XRPL_AGE } from "./xrp-ledger.ts";
