import { fail, ok, type Result } from "@conclave/custody";
import type { XrplPayment } from "./plan.ts";
import type { XrplAccount, XrplReserve, XrplSituation } from "./situation.ts";

/** The payment to judge, with the chain's current state. */
interface Asked {
  readonly payment: XrplPayment;
  /** drops */
  readonly fee: bigint;
  readonly situation: Pick<XrplSituation, "reserve" | "recipient" | "isAuthorised"> & {
    readonly sender: XrplAccount;
  };
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The reserve of an account, in drops (XRP Ledger docs, "Reserves"). */
const reserveOf = ({ base, object }: XrplReserve, { objects }: XrplAccount): bigint =>
  base + BigInt(objects) * object;

/**
 * Judges, before anything is signed, whether the chain would refuse the transaction. The fee may come out of the reserve
 * (rippled, Payment.cpp).
 * @returns InsufficientFunds, RecipientCannotReceive, or TransactionInvalid when the wallet's key has no authority over its
 * account
 */
export const judgeXrplAffordable = ({ payment, fee, situation }: Asked): Result<void> => {
  const { sender, recipient, reserve } = situation;
  if (sender.isMasterDisabled) {
    return fail(
      "TransactionInvalid",
      { field: "from" },
      "the wallet's account has disabled its own key (lsfDisableMaster): it signs for the account no more; " +
        "have its regular key enable it again, or send from another wallet",
    );
  }
  const kept = reserveOf(reserve, sender);
  const needed = payment.amount + larger(kept, fee);
  if (sender.balance < needed)
    return short(needed, sender.balance, `amount, fee and the account's reserve of ${kept}`);
  if (recipient === undefined) return judgeNew(payment, reserve);
  if (recipient.requiresTag && payment.destinationTag === undefined) {
    return cannotReceive(
      "the recipient's account wants a destination tag with each payment: give it as memo",
    );
  }
  return situation.isAuthorised || isHelp(payment, recipient, reserve)
    ? ok(undefined)
    : cannotReceive(
        "the recipient's account takes payments of accounts alone that it has authorised (DepositAuth): " +
          "have its owner authorise the wallet's account",
      );
};

/**
 * Whether a small payment is allowed to an account that holds no more than its reserve, without the recipient's authorisation
 * (rippled, Payment.cpp).
 */
export const isHelp = (
  { amount }: Pick<XrplPayment, "amount">,
  { balance }: Pick<XrplAccount, "balance">,
  { base }: XrplReserve,
): boolean => amount <= base && balance <= base;

const short = (needed: bigint, held: bigint, what: string): Result<never> =>
  fail(
    "InsufficientFunds",
    { needed: needed.toString(), held: held.toString() },
    `insufficient funds: ${needed} drops (${what}) are needed, the wallet holds ${held}; ` +
      `send it ${needed - held} drops more, or ask for less`,
  );

const cannotReceive = (why: string): Result<never> => fail("RecipientCannotReceive", {}, why);

/** A payment to a missing account creates it, and must cover its reserve. */
const judgeNew = ({ amount }: XrplPayment, { base }: XrplReserve): Result<void> =>
  amount >= base
    ? ok(undefined)
    : cannotReceive(
        `the recipient's account does not exist: a first payment takes its reserve of ${base} drops`,
      );

/** The refusal for a sender that nobody has paid: it has no funds and no Sequence. */
export const withoutAccount = ({ base }: XrplReserve): Result<never> =>
  short(base, 0n, "the reserve with which an account begins");
