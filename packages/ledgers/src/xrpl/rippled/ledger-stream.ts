import type { RippledLedger } from "../closed-ledger.ts";
import { latestRippledLedger, type RippledState } from "../state.ts";
import type { RippledJson } from "./answer.ts";
import { completeLedgers } from "./server.ts";

const ledgerFacts = ({ hash, index, closeTime }: RippledLedger, state: RippledState): RippledJson => ({
  fee_base: state.fees.base,
  ledger_hash: hash,
  ledger_index: index,
  ledger_time: closeTime,
  network_id: state.genesis.networkId,
  reserve_base: state.fees.reserveBase,
  reserve_inc: state.fees.reserveIncrement,
  validated_ledgers: completeLedgers(state),
});

/** The first message to a new subscriber of ledgers. */
export const ledgerStreamState = (state: RippledState): RippledJson =>
  ledgerFacts(latestRippledLedger(state), state);

/** The message to subscribers when a ledger is closed. */
export const ledgerMessage = (ledger: RippledLedger, state: RippledState): RippledJson => ({
  type: "ledgerClosed",
  ...ledgerFacts(ledger, state),
  txn_count: ledger.transactions.size,
});
