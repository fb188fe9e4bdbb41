import type { JavaTronAddress } from "../address.ts";
import { toJavaTronBase58 } from "../address.ts";
import { changedJavaTronAccount, type JavaTronAccount, type JavaTronBooks } from "../books.ts";
import type { JavaTronSubmission } from "../transaction/transaction.ts";
import { type JavaTronContext, type JavaTronNetBill, JavaTronNotTaken, javaTronInvalid } from "./applied.ts";

/** Bytes that a node reserves for the result that it adds. */
const RESULT_BYTES = 64;
const DAY_MS = 86_400_000;

/** The used bytes of an account's free bandwidth, which recover evenly over a day. */
export const javaTronFreeNetUsed = (
  { freeNetUsage, latestConsumeFreeTime }: JavaTronAccount,
  time: number,
): number => {
  const left = DAY_MS - Math.max(0, time - latestConsumeFreeTime);
  return left <= 0 ? 0 : Math.ceil((freeNetUsage * left) / DAY_MS);
};

const makesAnAccount = (books: JavaTronBooks, { transaction }: JavaTronSubmission): boolean => {
  const { act } = transaction;
  switch (act.type) {
    case "AccountCreateContract":
      return true;
    case "TransferContract":
    case "TransferAssetContract":
      return !books.accounts.has(act.to);
    case "AssetIssueContract":
    case "TriggerSmartContract":
    case "CreateSmartContract":
      return false;
  }
};

/** Burns sun of an account. @returns undefined if the balance is too low */
const burnt = (
  books: JavaTronBooks,
  owner: JavaTronAddress,
  context: JavaTronContext,
  fee: bigint,
): JavaTronBooks | undefined =>
  (books.accounts.get(owner)?.balance ?? 0n) < fee
    ? undefined
    : changedJavaTronAccount(books, owner, context.time, ({ balance }) => ({ balance: balance - fee }));

const lacking = (words: string): JavaTronNotTaken =>
  new JavaTronNotTaken("BANDWITH_ERROR", `Account resource insufficient error. ${words}`);

/**
 * Charges a transaction's bytes: to the day's free bandwidth, or by burning sun. If it creates an account, a fixed fee
 * replaces the charge for bytes.
 * @source java-tron, BandwidthProcessor.consume
 * @throws JavaTronNotTaken
 */
export const consumeJavaTronBandwidth = (
  books: JavaTronBooks,
  submission: JavaTronSubmission,
  context: JavaTronContext,
): { readonly books: JavaTronBooks; readonly bill: JavaTronNetBill } => {
  const { owner } = submission.transaction;
  const account = books.accounts.get(owner);
  if (account === undefined) throw javaTronInvalid(`account [${toJavaTronBase58(owner)}] does not exist`);
  const { prices, time } = context;
  const bytes = submission.size + RESULT_BYTES;
  if (makesAnAccount(books, submission)) {
    const fee = prices.createAccountFee;
    const paid = burnt(books, owner, context, fee);
    if (paid === undefined) {
      throw lacking(`Account has insufficient bandwidth[${bytes}] and balance[${fee}] to create new account`);
    }
    return { books: paid, bill: { netUsage: 0, netFee: fee } };
  }
  const used = javaTronFreeNetUsed(account, time);
  if (bytes <= Number(prices.freeNetLimit) - used) {
    const change = { freeNetUsage: used + bytes, latestConsumeFreeTime: time, latestOperationTime: time };
    return {
      books: changedJavaTronAccount(books, owner, time, () => change),
      bill: { netUsage: bytes, netFee: 0n },
    };
  }
  const fee = prices.transactionFee * BigInt(bytes);
  const paid = burnt(books, owner, context, fee);
  if (paid === undefined) throw lacking(`Account has insufficient bandwidth[${bytes}] and balance[${fee}]`);
  return { books: paid, bill: { netUsage: 0, netFee: fee } };
};

/** Charges for a memo. @throws JavaTronNotTaken */
export const consumeJavaTronMemo = (
  books: JavaTronBooks,
  { transaction }: JavaTronSubmission,
  context: JavaTronContext,
): { readonly books: JavaTronBooks; readonly fee: bigint } => {
  const fee = transaction.data.length > 0 ? context.prices.memoFee : 0n;
  if (fee === 0n) return { books, fee };
  const paid = burnt(books, transaction.owner, context, fee);
  if (paid === undefined)
    throw lacking(
      `Account ${toJavaTronBase58(transaction.owner)} has insufficient balance[${fee}] to memo fee`,
    );
  return { books: paid, fee };
};
