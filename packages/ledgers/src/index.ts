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
