import type { JavaTronAddress } from "../address.ts";
import { changedJavaTronAccount, type JavaTronBooks } from "../books.ts";
import { type JavaTronContext, javaTronInvalid } from "./applied.ts";

export interface JavaTronMoved {
  readonly books: JavaTronBooks;
  /** sun, burnt */
  readonly fee: bigint;
}

const CANNOT_RECEIVE = "Cannot transfer TRX to a smartContract.";

/**
 * Transfers TRX. A receiver that does not exist is created, for a fee.
 * @source java-tron, TransferActuator
 * @throws JavaTronNotTaken
 */
export const transferJavaTronTrx = (
  books: JavaTronBooks,
  owner: JavaTronAddress,
  { to, amount }: { readonly to: JavaTronAddress; readonly amount: bigint },
  { prices, time }: JavaTronContext,
): JavaTronMoved => {
  if (to === owner) throw javaTronInvalid("Cannot transfer TRX to yourself.");
  const from = books.accounts.get(owner);
  if (from === undefined) throw javaTronInvalid("Validate TransferContract error, no OwnerAccount.");
  if (amount <= 0n) throw javaTronInvalid("Amount must be greater than 0.");
  const receiver = books.accounts.get(to);
  if (receiver?.isContract === true) throw javaTronInvalid(CANNOT_RECEIVE);
  const fee = receiver === undefined ? prices.createNewAccountFee : 0n;
  if (from.balance < amount + fee) {
    throw javaTronInvalid("Validate TransferContract error, balance is not sufficient.");
  }
  const paid = changedJavaTronAccount(books, owner, time, ({ balance }) => ({
    balance: balance - amount - fee,
  }));
  return {
    books: changedJavaTronAccount(paid, to, time, ({ balance }) => ({ balance: balance + amount })),
    fee,
  };
};

/** Creates an empty account. @source java-tron, CreateAccountActuator @throws JavaTronNotTaken */
export const createJavaTronAccount = (
  books: JavaTronBooks,
  owner: JavaTronAddress,
  account: JavaTronAddress,
  { prices, time }: JavaTronContext,
): JavaTronMoved => {
  const fee = prices.createNewAccountFee;
  if ((books.accounts.get(owner)?.balance ?? 0n) < fee) {
    throw javaTronInvalid("Validate CreateAccountActuator error, insufficient fee.");
  }
  if (books.accounts.has(account)) throw javaTronInvalid("Account has existed");
  const paid = changedJavaTronAccount(books, owner, time, ({ balance }) => ({ balance: balance - fee }));
  return { books: changedJavaTronAccount(paid, account, time, () => ({})), fee };
};
