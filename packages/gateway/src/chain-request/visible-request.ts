import {
  type ChainRequest,
  fail,
  ok,
  type Result,
  type Transaction,
  type TransactionId,
  type Transfer,
  type TransferId,
  type WalletId,
} from "@conclave/custody";
import { type Connection, readTransaction, readTransfer } from "@conclave/platform";
import type { Viewer } from "../people/viewer.ts";
import { shownWallet } from "../wallet/visible-wallet.ts";

/**
 * Whether the caller may see the request. Only end users are limited to their own wallets; others see all wallets of
 * the organisation.
 */
const isVisible = async (
  connection: Connection,
  request: ChainRequest,
  caller: Viewer,
  walletId: WalletId,
): Promise<boolean> =>
  request.orgId === caller.orgId &&
  request.walletId === walletId &&
  (caller.isEndUser !== true || (await shownWallet(connection, caller, walletId)).ok);

/**
 * A transfer of a wallet of the caller's organisation. A transfer of another wallet or organisation, one that does not
 * exist, and, for an end user, one of another's wallet give the same answer (INV-11): TransferNotFound.
 */
export const visibleTransfer = async (
  connection: Connection,
  caller: Viewer,
  walletId: WalletId,
  id: TransferId,
): Promise<Result<Transfer>> => {
  const transfer = await readTransfer(connection, id);
  return transfer !== undefined && (await isVisible(connection, transfer, caller, walletId))
    ? ok(transfer)
    : fail("TransferNotFound", { transferId: id, walletId });
};

/** The same for a transaction: TransactionNotFound. */
export const visibleTransaction = async (
  connection: Connection,
  caller: Viewer,
  walletId: WalletId,
  id: TransactionId,
): Promise<Result<Transaction>> => {
  const transaction = await readTransaction(connection, id);
  return transaction !== undefined && (await isVisible(connection, transaction, caller, walletId))
    ? ok(transaction)
    : fail("TransactionNotFound", { transactionId: id, walletId });
};
