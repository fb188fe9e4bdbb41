import type { RippledAddress } from "../address.ts";
import { type RippledAccount, rippledAccountIn } from "../books.ts";
import type { RippledLedger } from "../closed-ledger.ts";
import {
  accountAfter,
  latestRippledLedger,
  ledgerOfIndex,
  type RippledState,
  rememberedLedgers,
} from "../state.ts";
import { failed, type RippledAnswer, type RippledJson } from "./answer.ts";
import type { RippledQuery } from "./request.ts";

/** The ledger that a request asks about. */
export type RippledLedgerChoice =
  | { readonly kind: "open"; readonly index: number }
  | { readonly kind: "closed"; readonly ledger: RippledLedger };

const HASH = /^[0-9A-Fa-f]{64}$/;
const INDEX = /^\d{1,10}$/;

const openChoice = (state: RippledState): RippledLedgerChoice => ({
  kind: "open",
  index: latestRippledLedger(state).index + 1,
});

const closedChoice = (ledger: RippledLedger | undefined): RippledLedgerChoice | RippledAnswer =>
  ledger === undefined ? failed("lgrNotFound", "ledgerNotFound") : { kind: "closed", ledger };

const byIndex = (state: RippledState, given: unknown): RippledLedgerChoice | RippledAnswer => {
  if (given === undefined || given === "current") return openChoice(state);
  if (given === "validated" || given === "closed") return closedChoice(latestRippledLedger(state));
  const isNumber = typeof given === "number" || (typeof given === "string" && INDEX.test(given));
  if (!isNumber) return failed("invalidParams", "Invalid field 'ledger_index', not string or number.");
  return closedChoice(ledgerOfIndex(state, Number(given)));
};

/** The ledger that a request names by hash, index or keyword; by default the open one. */
export const chosenLedger = ({ state, params }: RippledQuery): RippledLedgerChoice | RippledAnswer => {
  const hash = params["ledger_hash"];
  if (hash === undefined) return byIndex(state, params["ledger_index"]);
  if (typeof hash !== "string" || !HASH.test(hash)) {
    return failed("invalidParams", "Invalid field 'ledger_hash', not hex string.");
  }
  return closedChoice(rememberedLedgers(state).findLast((ledger) => ledger.hash === hash.toUpperCase()));
};

export const isChoice = (choice: RippledLedgerChoice | RippledAnswer): choice is RippledLedgerChoice =>
  "kind" in choice;

/** The members of an answer that name its ledger. */
export const ledgerNames = (choice: RippledLedgerChoice): RippledJson =>
  choice.kind === "open"
    ? { ledger_current_index: choice.index, validated: false }
    : { ledger_hash: choice.ledger.hash, ledger_index: choice.ledger.index, validated: true };

/** An account in the chosen ledger. */
export const accountOfChoice = (
  state: RippledState,
  choice: RippledLedgerChoice,
  address: RippledAddress,
): RippledAccount | undefined =>
  choice.kind === "open"
    ? rippledAccountIn(state.open.books, address)
    : accountAfter(state, address, choice.ledger.index);
