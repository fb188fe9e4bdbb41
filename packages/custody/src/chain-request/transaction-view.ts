import { z } from "zod";
import type { Transaction } from "./chain-request.ts";
import { chainRequestView, chainRequestViewFields } from "./request-view.ts";
import { transactionRequestBodySchema } from "./transaction-body.ts";

/** The Transaction in API responses. */
export const transactionViewSchema = z.object({
  ...chainRequestViewFields,
  requestBody: transactionRequestBodySchema,
});
export type TransactionView = z.infer<typeof transactionViewSchema>;

export const transactionView = (transaction: Transaction): TransactionView => ({
  ...chainRequestView(transaction),
  requestBody: transaction.requestBody,
});
