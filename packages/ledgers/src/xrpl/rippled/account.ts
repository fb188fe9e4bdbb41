import { rippledAccountRoot, ticketFields, ticketIndex } from "../account-root.ts";
import { parseRippledAddress, type RippledAddress } from "../address.ts";
import { RIPPLED_ACCOUNT_FLAGS, type RippledAccount } from "../books.ts";
import { transactionsIn } from "../open-ledger.ts";
import { answered, failed, type RippledAnswer, type RippledJson } from "./answer.ts";
import {
  accountOfChoice,
  chosenLedger,
  isChoice,
  ledgerNames,
  type RippledLedgerChoice,
} from "./ledger-choice.ts";
import type { RippledQuery } from "./request.ts";

/** The names of flags in account_info. */
const FLAG_NAMES: readonly (readonly [string, keyof typeof RIPPLED_ACCOUNT_FLAGS])[] = [
  ["defaultRipple", "defaultRipple"],
  ["depositAuth", "depositAuth"],
  ["disableMasterKey", "disableMaster"],
  ["disallowIncomingXRP", "disallowXrp"],
  ["globalFreeze", "globalFreeze"],
  ["noFreeze", "noFreeze"],
  ["requireAuthorization", "requireAuth"],
  ["requireDestinationTag", "requireDestTag"],
];

interface Found {
  readonly address: RippledAddress;
  readonly account: RippledAccount;
  readonly choice: RippledLedgerChoice;
}

/** The account that a request names, or the error. */
export const namedAddress = ({ params }: RippledQuery): RippledAddress | RippledAnswer => {
  const given = params["account"];
  if (given === undefined) return failed("invalidParams", "Missing field 'account'.");
  if (typeof given !== "string") return failed("invalidParams", "Invalid field 'account'.");
  return parseRippledAddress(given) ?? failed("actMalformed");
};

const isFound = (found: Found | RippledAnswer): found is Found => "choice" in found;

const findAccount = (query: RippledQuery): Found | RippledAnswer => {
  const address = namedAddress(query);
  if (typeof address !== "string") return address;
  const choice = chosenLedger(query);
  if (!isChoice(choice)) return choice;
  const account = accountOfChoice(query.state, choice, address);
  return account === undefined
    ? failed("actNotFound", undefined, { account: address, ...ledgerNames(choice) })
    : { address, account, choice };
};

const flagsOf = ({ flags }: RippledAccount): RippledJson =>
  Object.fromEntries(FLAG_NAMES.map(([name, flag]) => [name, (flags & RIPPLED_ACCOUNT_FLAGS[flag]) !== 0]));

const queueData = ({ state }: RippledQuery, address: RippledAddress): RippledJson => {
  const queued = transactionsIn(state.open, "queued").filter(({ account }) => account === address);
  return {
    txn_count: queued.length,
    transactions: queued.map(({ fee, turn, lastLedgerSequence }) => ({
      fee: `${fee}`,
      seq: turn.kind === "sequence" ? turn.value : undefined,
      ticket: turn.kind === "ticket" ? turn.value : undefined,
      LastLedgerSequence: lastLedgerSequence,
    })),
  };
};

export const accountInfo = (query: RippledQuery): RippledAnswer => {
  const found = findAccount(query);
  if (!isFound(found)) return found;
  const { address, account, choice } = found;
  const { params, version } = query;
  const lists = params["signer_lists"] === true ? { signer_lists: [] } : {};
  if (params["queue"] === true && choice.kind !== "open") return failed("invalidParams");
  return answered({
    account_data: { ...rippledAccountRoot(address, account), ...(version === 1 && lists) },
    account_flags: flagsOf(account),
    ...(version > 1 && lists),
    ...(params["queue"] === true && { queue_data: queueData(query, address) }),
    ...ledgerNames(choice),
  });
};

/** Tickets are the only objects that an account can own here. */
export const accountObjects = (query: RippledQuery): RippledAnswer => {
  const found = findAccount(query);
  if (!isFound(found)) return found;
  const { address, account, choice } = found;
  const { type, deletion_blockers_only: blockersOnly } = query.params;
  const hasTickets = (type === undefined || type === "ticket") && blockersOnly !== true;
  return answered({
    account: address,
    account_objects: (hasTickets ? account.tickets : []).map((ticket) => ({
      ...ticketFields(address, ticket),
      LedgerEntryType: "Ticket",
      index: ticketIndex(address, ticket),
    })),
    ...ledgerNames(choice),
  });
};

/** Issued currencies do not exist here, so nobody has trust lines. */
export const accountLines = (query: RippledQuery): RippledAnswer => {
  const found = findAccount(query);
  return isFound(found)
    ? answered({ account: found.address, lines: [], ...ledgerNames(found.choice) })
    : found;
};
