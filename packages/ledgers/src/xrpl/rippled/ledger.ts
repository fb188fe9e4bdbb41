import type { LedgerJson } from "../../json.ts";
import { CLOSE_TIME_RESOLUTION_S, type RippledLedger } from "../closed-ledger.ts";
import { transactionsIn } from "../open-ledger.ts";
import { humanOfRippleTime, isoOfRippleTime } from "../ripple-time.ts";
import { latestRippledLedger, type RippledState } from "../state.ts";
import { rippledTransactionJson } from "../transaction/json.ts";
import { answered, failed, type RippledAnswer, type RippledJson } from "./answer.ts";
import { chosenLedger, isChoice, ledgerNames, type RippledLedgerChoice } from "./ledger-choice.ts";
import type { RippledQuery, RippledVersion } from "./request.ts";
import { expandedTransaction } from "./transaction-views.ts";

/** Members that only version 1 of the API has, as duplicates under other names. */
const oldNames = ({ hash, index, totalDrops }: RippledLedger): RippledJson => ({
  accepted: true,
  hash,
  ledger_index: `${index}`,
  seqNum: `${index}`,
  totalCoins: `${totalDrops}`,
});

const headerJson = (ledger: RippledLedger, version: RippledVersion): RippledJson => ({
  account_hash: ledger.accountHash,
  close_flags: 0,
  close_time: ledger.closeTime,
  close_time_human: humanOfRippleTime(ledger.closeTime),
  close_time_iso: isoOfRippleTime(ledger.closeTime),
  close_time_resolution: CLOSE_TIME_RESOLUTION_S,
  closed: true,
  ledger_hash: ledger.hash,
  ledger_index: ledger.index,
  parent_close_time: ledger.parentCloseTime,
  parent_hash: ledger.parentHash,
  total_coins: `${ledger.totalDrops}`,
  transaction_hash: ledger.transactionHash,
  ...(version === 1 && oldNames(ledger)),
});

const transactionsOf = (
  query: RippledQuery,
  choice: RippledLedgerChoice,
): readonly LedgerJson[] | undefined => {
  const { params, version, state } = query;
  if (params["transactions"] !== true) return undefined;
  const isExpanded = params["expand"] === true;
  if (choice.kind === "open") {
    return transactionsIn(state.open, "open").map((transaction) =>
      isExpanded
        ? { ...rippledTransactionJson(transaction, version), hash: transaction.hash }
        : transaction.hash,
    );
  }
  const { ledger } = choice;
  return [...ledger.transactions.values()].map((each) =>
    isExpanded ? expandedTransaction(ledger, each, version) : each.transaction.hash,
  );
};

const openHeader = (state: RippledState, version: RippledVersion): RippledJson => {
  const { index, hash } = latestRippledLedger(state);
  return {
    closed: false,
    ledger_index: version === 1 ? `${index + 1}` : index + 1,
    parent_hash: hash,
  };
};

/** A ledger's header, with its transactions on request. */
export const ledger = (query: RippledQuery): RippledAnswer => {
  const { params, version, state } = query;
  const unserved = ["binary", "accounts", "full", "owner_funds"].find((name) => params[name] === true);
  if (unserved !== undefined) {
    return failed("notSupported", `this simulated ledger does not serve ledgers with ${unserved}`);
  }
  const choice = chosenLedger(query);
  if (!isChoice(choice)) return choice;
  const header = choice.kind === "open" ? openHeader(state, version) : headerJson(choice.ledger, version);
  return answered({
    ledger: { ...header, transactions: transactionsOf(query, choice) },
    ...ledgerNames(choice),
  });
};

export const ledgerCurrent = ({ state }: RippledQuery): RippledAnswer =>
  answered({ ledger_current_index: latestRippledLedger(state).index + 1 });

export const ledgerClosed = ({ state }: RippledQuery): RippledAnswer => {
  const { hash, index } = latestRippledLedger(state);
  return answered({ ledger_hash: hash, ledger_index: index });
};
