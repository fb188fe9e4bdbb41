import type { LedgerJson } from "../json.ts";
import { type RippledAddress, rippledAccountId } from "./address.ts";
import { ownerCountOf, type RippledAccount } from "./books.ts";
import { rippledDigest, rippledHex, rippledUint32 } from "./digest.ts";

/** The namespace of each kind of ledger entry. @source rippled, src/libxrpl/protocol/Indexes.cpp: LedgerNameSpace */
const ACCOUNT_SPACE = Uint8Array.of(0, 0x61);
const TICKET_SPACE = Uint8Array.of(0, 0x54);

/** The ledger index of an account's entry. */
export const accountIndex = (address: RippledAddress): string =>
  rippledHex(rippledDigest(ACCOUNT_SPACE, rippledAccountId(address)));

/** The ledger index of a ticket's entry. */
export const ticketIndex = (address: RippledAddress, ticket: number): string =>
  rippledHex(rippledDigest(TICKET_SPACE, rippledAccountId(address), rippledUint32(ticket)));

/** An account's entry as metadata shows it: without its index and the fields about the latest transaction. */
export const accountFields = (
  address: RippledAddress,
  account: RippledAccount,
): Readonly<Record<string, LedgerJson>> => ({
  Account: address,
  AccountTxnID: account.accountTxnId,
  Balance: account.balance.toString(),
  Domain: account.domain,
  EmailHash: account.emailHash,
  Flags: account.flags,
  MessageKey: account.messageKey,
  OwnerCount: ownerCountOf(account),
  RegularKey: account.regularKey,
  Sequence: account.sequence,
  TicketCount: account.tickets.length === 0 ? undefined : account.tickets.length,
});

/** An account's entry as account_info shows it. */
export const rippledAccountRoot = (
  address: RippledAddress,
  account: RippledAccount,
): Readonly<Record<string, LedgerJson>> => ({
  ...accountFields(address, account),
  LedgerEntryType: "AccountRoot",
  PreviousTxnID: account.previousTxnId,
  PreviousTxnLgrSeq: account.previousTxnLedger,
  index: accountIndex(address),
});

export const ticketFields = (
  address: RippledAddress,
  ticket: number,
): Readonly<Record<string, LedgerJson>> => ({
  Account: address,
  Flags: 0,
  OwnerNode: "0",
  TicketSequence: ticket,
});
