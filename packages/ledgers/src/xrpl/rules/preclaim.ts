import { rippledAddressOfKey } from "../address.ts";
import { hasAccountFlag, type RippledAccount, type RippledBooks, rippledAccountIn } from "../books.ts";
import type { RippledEngineResult } from "../engine-result.ts";
import type { RippledPayment, RippledTransaction } from "../transaction/transaction.ts";
import type { RippledContext } from "./context.ts";

/** A limit that the network does not have: this ledger keeps everything in memory. */
const MOST_ACCOUNTS = 100_000;
const MOST_TICKETS = 250;

type Refusal = RippledEngineResult | undefined;

/** @source rippled, Transactor.cpp: checkSeqProxy */
export const checkTurn = ({ turn }: RippledTransaction, { sequence, tickets }: RippledAccount): Refusal => {
  if (turn.kind === "sequence") {
    if (turn.value === sequence) return undefined;
    return turn.value > sequence ? "terPRE_SEQ" : "tefPAST_SEQ";
  }
  if (turn.value >= sequence) return "terPRE_TICKET";
  return tickets.includes(turn.value) ? undefined : "tefNO_TICKET";
};

/** @source rippled, Transactor.cpp: checkPriorTxAndLastLedger */
const checkLife = (
  { accountTxnId, lastLedgerSequence }: RippledTransaction,
  account: RippledAccount,
  { ledgerIndex }: RippledContext,
): Refusal => {
  if (accountTxnId !== undefined && accountTxnId !== account.accountTxnId) return "tefWRONG_PRIOR";
  return lastLedgerSequence !== undefined && ledgerIndex > lastLedgerSequence ? "tefMAX_LEDGER" : undefined;
};

/** @source rippled, Transactor.cpp: checkFee */
const checkFee = (
  { fee }: RippledTransaction,
  { balance }: RippledAccount,
  { fees, isOpen }: RippledContext,
): Refusal => {
  if (isOpen && fee < fees.base) return "telINSUF_FEE_P";
  if (balance >= fee) return undefined;
  return balance > 0n && !isOpen ? "tecINSUFF_FEE" : "terINSUF_FEE_B";
};

/**
 * Whether the signing key is the account's regular key, or its own unless that is disabled. @source rippled,
 * checkSingleSign
 */
const checkAuthority = (transaction: RippledTransaction, account: RippledAccount): Refusal => {
  const signer = rippledAddressOfKey(transaction.signingPubKey);
  if (signer === account.regularKey) return undefined;
  if (signer !== transaction.account) return "tefBAD_AUTH";
  return hasAccountFlag(account, "disableMaster") ? "tefMASTER_DISABLED" : undefined;
};

const checkDestination = (
  books: RippledBooks,
  { destination, destinationTag, amount }: RippledPayment,
  { fees }: RippledContext,
): Refusal => {
  const account = rippledAccountIn(books, destination);
  if (account === undefined) {
    if (amount < fees.reserveBase) return "tecNO_DST_INSUF_XRP";
    return books.accountCount < MOST_ACCOUNTS ? undefined : "telFAILED_PROCESSING";
  }
  const isMissing = hasAccountFlag(account, "requireDestTag") && destinationTag === undefined;
  return isMissing ? "tecDST_TAG_NEEDED" : undefined;
};

const checkAct = (
  books: RippledBooks,
  { act, turn }: RippledTransaction,
  account: RippledAccount,
  context: RippledContext,
): Refusal => {
  if (act.kind === "Payment") return checkDestination(books, act, context);
  if (act.kind !== "TicketCreate") return undefined;
  const used = turn.kind === "ticket" ? 1 : 0;
  return account.tickets.length + act.count - used > MOST_TICKETS ? "tecDIR_FULL" : undefined;
};

/**
 * Why the books do not allow a transaction, apart from its sequence number or ticket; undefined if they do.
 * @source rippled, src/xrpld/app/tx/detail/applySteps.cpp: invoke_preclaim
 */
export const preclaimWithoutTurn = (
  books: RippledBooks,
  transaction: RippledTransaction,
  context: RippledContext,
): Refusal => {
  const account = rippledAccountIn(books, transaction.account);
  if (account === undefined) return "terNO_ACCOUNT";
  return (
    checkLife(transaction, account, context) ??
    checkFee(transaction, account, context) ??
    checkAuthority(transaction, account) ??
    checkAct(books, transaction, account, context)
  );
};

export const rippledPreclaim = (
  books: RippledBooks,
  transaction: RippledTransaction,
  context: RippledContext,
): Refusal => {
  const account = rippledAccountIn(books, transaction.account);
  if (account === undefined) return "terNO_ACCOUNT";
  return checkTurn(transaction, account) ?? preclaimWithoutTurn(books, transaction, context);
};
