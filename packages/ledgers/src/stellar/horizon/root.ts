import type { LedgerJson } from "../../json.ts";
import { PROTOCOL_VERSION } from "../ledger.ts";
import { eldestLedger, type HorizonState, latestLedger } from "../state.ts";
import { timeText } from "./format.ts";
import { linkTo, linkToList } from "./link.ts";

/** GET /: the node's versions, network, and latest ledger. */
export const horizonRootJson = (state: HorizonState, origin: string): LedgerJson => {
  const { header } = latestLedger(state);
  return {
    _links: {
      self: linkTo(origin, "/"),
      account: { href: `${origin}/accounts/{account_id}`, templated: true },
      fee_stats: linkTo(origin, "/fee_stats"),
      friendbot: { href: `${origin}/friendbot{?addr}`, templated: true },
      ledger: { href: `${origin}/ledgers/{sequence}`, templated: true },
      ledgers: linkToList(origin, "/ledgers"),
      payments: linkToList(origin, "/payments"),
      transaction: { href: `${origin}/transactions/{hash}`, templated: true },
      transactions: linkToList(origin, "/transactions"),
    },
    horizon_version: "simulated",
    core_version: "simulated",
    ingest_latest_ledger: header.sequence,
    history_latest_ledger: header.sequence,
    history_latest_ledger_closed_at: timeText(header.value.closedAt),
    history_elder_ledger: eldestLedger(state).header.sequence,
    core_latest_ledger: header.sequence,
    network_passphrase: state.genesis.passphrase,
    current_protocol_version: PROTOCOL_VERSION,
    supported_protocol_version: PROTOCOL_VERSION,
    core_supported_protocol_version: PROTOCOL_VERSION,
  };
};
