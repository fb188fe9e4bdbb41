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

/** An account that a payment makes. Its numbers begin with its ledger's, so that no old transaction fits a new account. */
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

/** An account that takes deposits from nobody still takes little while it holds little: otherwise it could never pay a fee. */
const isClosedTo = (receiver: RippledAccount, amount: bigint, { fees }: RippledContext): boolean =>
  hasAccountFlag(receiver, "depositAuth") &&
  (amount > fees.reserveBase || receiver.balance > fees.reserveBase);

/**
 * @param books after the fee was taken
 * @param before the sender's account before that: a payment may leave less than the reserve by its fee
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
