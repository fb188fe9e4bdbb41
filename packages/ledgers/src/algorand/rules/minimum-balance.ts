import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodAddress } from "../address.ts";
import { type AlgodAccount, type AlgodBooks, accountIn, isNoAccount } from "../books.ts";

/** microalgos for an account, and the same again for each asset that it opted into */
const MINIMUM_BALANCE = 100_000n;

/** @returns microalgos that the account must hold */
export const minimumBalanceOf = ({ holdings }: AlgodAccount): bigint =>
  MINIMUM_BALANCE * (1n + BigInt(holdings.size));

/**
 * Every account must hold its minimum balance, or be closed.
 * @param spared the fee sink, which a node does not check
 * @source go-algorand, ledger/eval/eval.go: checkMinBalance
 */
export const checkMinimumBalances = (
  books: AlgodBooks,
  addresses: Iterable<AlgodAddress>,
  spared: AlgodAddress,
): Ruling<undefined> => {
  for (const address of addresses) {
    const account = accountIn(books, address);
    const minimum = minimumBalanceOf(account);
    if (address !== spared && !isNoAccount(account) && account.balance < minimum) {
      return refusedWith(
        `account ${address} balance ${account.balance} below min ${minimum} (${account.holdings.size} assets)`,
      );
    }
  }
  return granted(undefined);
};
