export {
  type AlgodEffect,
  type AlgodEvent,
  type AlgodStep,
  advanceAlgorand,
} from "./algorand/advance.ts";
export { type AlgodGenesis, makeAlgodGenesis } from "./algorand/genesis.ts";
export { startAlgorandLedger } from "./algorand/http/start.ts";
export { type AlgodState, openAlgorandLedger } from "./algorand/state.ts";
export {
  advanceBitcoin,
  type BitcoindEffect,
  type BitcoindEvent,
  type BitcoindStep,
} from "./bitcoin/advance.ts";
export { type BitcoindGenesis, makeBitcoindGenesis } from "./bitcoin/genesis.ts";
export { startBitcoinLedger } from "./bitcoin/http/start.ts";
export { type BitcoindState, openBitcoinLedger } from "./bitcoin/state.ts";
export type { LedgerClock } from "./clock.ts";
export { LEDGER_CHAINS, LEDGERS, type LedgerKind } from "./http/ledgers.ts";
export type { LedgerOptions, RunningLedger } from "./http/running-ledger.ts";
export { SYSTEM_CLOCK } from "./http/system-clock.ts";
export {
  advanceStellar,
  type HorizonEffect,
  type HorizonEvent,
  type HorizonStep,
} from "./stellar/advance.ts";
export { type HorizonGenesis, makeHorizonGenesis } from "./stellar/genesis.ts";
export { startStellarLedger } from "./stellar/http/start.ts";
export { type HorizonState, openStellarLedger } from "./stellar/state.ts";
export {
  advanceTron,
  type JavaTronEffect,
  type JavaTronEvent,
  type JavaTronStep,
} from "./tron/advance.ts";
export { contractEngine } from "./tron/engine/contract-engine.ts";
export { type JavaTronGenesis, makeJavaTronGenesis } from "./tron/genesis.ts";
export { startTronLedger } from "./tron/http/start.ts";
export type { RunContract } from "./tron/rules/applied.ts";
export { type JavaTronState, openTronLedger } from "./tron/state.ts";
export {
  advanceXrpl,
  type RippledEffect,
  type RippledEvent,
  type RippledStep,
} from "./xrpl/advance.ts";
export { makeRippledGenesis, type RippledGenesis } from "./xrpl/genesis.ts";
export { startXrpLedger } from "./xrpl/http/start.ts";
export { openXrpLedger, type RippledState } from "./xrpl/state.ts";
