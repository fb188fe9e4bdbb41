export { commandLedger } from "./command-ledger.ts";
export { HandClock } from "./hand-clock.ts";
export { TRC20_TEST_TOKEN, TRC721_TEST_COLLECTION, type TronTestContract } from "./tron-contracts.ts";
