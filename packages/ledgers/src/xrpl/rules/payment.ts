import {
  hasAccountFlag,
  ownerCountOf,
  type RippledAccount,
  type RippledBooks,
  rippledAccountIn,
  withRippledAccount,
} from "../books.ts";
import type { RippledPayment, RippledTransaction } from "../transaction/transaction.ts";
import type { RippledApplied } from "./applied.ts";
import type { RippledContext } from "./context.ts";
import { rippledReserveOf } from "./fees.ts";

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/**
 * A new account. Its sequence number starts with the ledger's index, so that no transaction of a former account is valid
 * for it.
 */
const newAccount = (ledgerIndex: number): RippledAccount => ({
  balance: 0n,
  sequence: ledgerIndex,
  flags: 0,
  tickets: [],
  regularKey: undefined,
  domain: undefined,
  emailHash: undefined,
  messageKey: undefined,
  accountTxnId: undefined,
  previousTxnId: "",
  previousTxnLedger: 0,
});

/**
 * Whether deposit authorisation refuses a payment. An account below the reserve still accepts small payments: otherwise
 * it could never pay a fee again.
 */
const isClosedTo = (receiver: RippledAccount, amount: bigint, { fees }: RippledContext): boolean =>
  hasAccountFlag(receiver, "depositAuth") &&
  (amount > fees.reserveBase || receiver.balance > fees.reserveBase);

/**
 * @param books after the fee was charged
 * @param before the sender's account before that; the fee may reduce the balance below the reserve, a payment not
 * @source rippled, Payment.cpp: doApply
 */
export const applyXrpPayment = (
  books: RippledBooks,
  { account, fee }: RippledTransaction,
  { destination, amount }: RippledPayment,
  before: RippledAccount,
  context: RippledContext,
): RippledApplied => {
  const sender = rippledAccountIn(books, account);
  if (sender === undefined) return { result: "tefINTERNAL", books };
  const kept = max(rippledReserveOf(context.fees, ownerCountOf(sender)), fee);
  if (before.balance < amount + kept) return { result: "tecUNFUNDED_PAYMENT", books };
  const receiver = rippledAccountIn(books, destination) ?? newAccount(context.ledgerIndex);
  if (isClosedTo(receiver, amount, context)) return { result: "tecNO_PERMISSION", books };
  const paid = withRippledAccount(books, account, { ...sender, balance: sender.balance - amount });
  const received = { ...receiver, balance: receiver.balance + amount };
  return { result: "tesSUCCESS", books: withRippledAccount(paid, destination, received) };
};
