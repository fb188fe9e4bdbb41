import type { Transaction } from "./chain-request.ts";
import { type ChainRequestView, chainRequestView } from "./request-view.ts";
import type { TransactionRequestBody } from "./transaction-body.ts";

/** The Transaction that the API answers. */
export interface TransactionView extends ChainRequestView {
  readonly requestBody: TransactionRequestBody;
}

/** Shows a transaction. */
export const transactionView = (transaction: Transaction): TransactionView => ({
  ...chainRequestView(transaction),
  requestBody: transaction.requestBody,
});
