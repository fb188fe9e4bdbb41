import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodAddress } from "../address.ts";
import { type AlgodBooks, accountIn, NO_ACCOUNT, withAccount } from "../books.ts";
import type { AlgodPayment } from "../transaction/transaction.ts";
import { type AppliedAct, NOTHING_APPLIED } from "./applied.ts";
import { moveMicroalgos } from "./move.ts";

/** Closes an account. Refused while it has assets, which its owner would lose. */
const closeAccount = (books: AlgodBooks, sender: AlgodAddress, closeTo: AlgodAddress): Ruling<AppliedAct> => {
  const { balance, holdings, createdAssets } = accountIn(books, sender);
  const moved = moveMicroalgos(books, sender, closeTo, balance);
  if (!moved.ok) return moved;
  if (holdings.size > 0) return refusedWith(`cannot close: ${holdings.size} outstanding assets`);
  if (createdAssets.length > 0) {
    return refusedWith(`cannot close: ${createdAssets.length} outstanding created assets`);
  }
  return granted({
    books: withAccount(moved.value, sender, NO_ACCOUNT),
    applied: { ...NOTHING_APPLIED, closingAmount: balance },
  });
};

/** @source go-algorand, ledger/apply/payment.go */
export const applyPayment = (
  books: AlgodBooks,
  sender: AlgodAddress,
  { receiver, amount, closeTo }: AlgodPayment,
): Ruling<AppliedAct> => {
  const paid = moveMicroalgos(books, sender, receiver, amount);
  if (!paid.ok) return paid;
  return closeTo === undefined
    ? granted({ books: paid.value, applied: NOTHING_APPLIED })
    : closeAccount(paid.value, sender, closeTo);
};
