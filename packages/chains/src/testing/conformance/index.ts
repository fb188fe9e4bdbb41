// Exports for tests that run another implementation's node through the suite for our chain nodes. Loads vitest.
export { describeChainNode } from "./chain-conformance.ts";
export { readAlgorandRecord, readBitcoinRecord, readEvmRecord, readTronRecord } from "./chain-records.ts";
export { firstEntry } from "./first-entry.ts";
export { ALGORAND_CASE, BITCOIN_CASE, TRON_CASE } from "./ledger-cases.ts";
export { openLedgerChain } from "./ledger-chain.ts";
export { got, makeTransaction, openPlainWallet, type PlainWallet, payeeOf } from "./plain-wallet.ts";
export { describeChainRecord, type ReadChainRecord } from "./record-conformance.ts";
export type { OpenTriedChain, TriedChain } from "./tried-chain.ts";
export { type ConnectAt, falteringWire, wireTroubles } from "./troubled-wire.ts";
