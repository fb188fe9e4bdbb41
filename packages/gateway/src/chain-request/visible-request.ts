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

/** The wallet is looked at for end users alone: to everybody else all wallets of the organisation are shown. */
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
 * A transfer of a wallet of the caller's organisation: one of another wallet or organisation and one that does not exist
 * get the very same answer (INV-11), TransferNotFound, and so does an end user for one of a wallet that is not its own.
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

/** The same of a transaction: TransactionNotFound. */
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
