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
import { type Caller, type Connection, readTransaction, readTransfer } from "@conclave/platform";

const isVisible = (request: ChainRequest, caller: Caller, walletId: WalletId): boolean =>
  request.orgId === caller.orgId && request.walletId === walletId;

/**
 * A transfer of a wallet of the caller's organisation: one of another wallet or organisation and one that does not exist
 * get the very same answer (INV-11), TransferNotFound.
 */
export const visibleTransfer = async (
  connection: Connection,
  caller: Caller,
  walletId: WalletId,
  id: TransferId,
): Promise<Result<Transfer>> => {
  const transfer = await readTransfer(connection, id);
  return transfer !== undefined && isVisible(transfer, caller, walletId)
    ? ok(transfer)
    : fail("TransferNotFound", { transferId: id, walletId });
};

/** The same of a transaction: TransactionNotFound. */
export const visibleTransaction = async (
  connection: Connection,
  caller: Caller,
  walletId: WalletId,
  id: TransactionId,
): Promise<Result<Transaction>> => {
  const transaction = await readTransaction(connection, id);
  return transaction !== undefined && isVisible(transaction, caller, walletId)
    ? ok(transaction)
    : fail("TransactionNotFound", { transactionId: id, walletId });
};
