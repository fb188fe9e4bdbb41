import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodAddress } from "../address.ts";
import { type AlgodAccount, type AlgodBooks, accountIn, isNoAccount } from "../books.ts";

/** microalgos: of an account, and again of each asset that it has opted into */
const MINIMUM_BALANCE = 100_000n;

/** @returns microalgos that an account must keep */
export const minimumBalanceOf = ({ holdings }: AlgodAccount): bigint =>
  MINIMUM_BALANCE * (1n + BigInt(holdings.size));

/**
 * An account keeps its minimum or is gone altogether.
 * @param spared the account that collects fees: a node does not ask it
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
