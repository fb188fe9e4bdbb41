import { z } from "zod";
import {
  amountField,
  memoField,
  priorityField,
  requestExternalId,
  sendAnywayField,
  transferField,
} from "./transfer-fields.ts";

/** Fields of every transfer: the receiver, and the caller's options. */
const to = transferField;
const ending = { sendAnyway: sendAnywayField, externalId: requestExternalId };
const piece = { contract: transferField, to, tokenId: transferField };
const ofMint = {
  mint: transferField,
  to,
  amount: amountField,
  createDestinationAccount: z.boolean().optional(),
  priority: priorityField,
  memo: memoField,
  ...ending,
};

/** The body of POST /wallets/{walletId}/transfers: every kind of the interface, with exactly its fields. */
export const transferBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Native"),
    to,
    amount: amountField,
    priority: priorityField,
    memo: memoField,
    ...ending,
  }),
  /** an Algorand standard asset */
  z.strictObject({ kind: z.literal("Asa"), assetId: transferField, to, amount: amountField, ...ending }),
  z.strictObject({
    kind: z.literal("Erc20"),
    contract: transferField,
    to,
    amount: amountField,
    priority: priorityField,
    ...ending,
  }),
  z.strictObject({ kind: z.literal("Erc721"), ...piece, priority: priorityField, ...ending }),
  /** an asset of Stellar's own ledger; contracts access it by the token interface SEP-41 */
  z.strictObject({
    kind: z.literal("Sep41"),
    issuer: transferField,
    assetCode: transferField,
    to,
    amount: amountField,
    memo: memoField,
    ...ending,
  }),
  /** a token of Solana's Token program */
  z.strictObject({ kind: z.literal("Spl"), ...ofMint }),
  /** a token of Solana's Token-2022 program */
  z.strictObject({ kind: z.literal("Spl2022"), ...ofMint }),
  /** a token of TRON's own ledger */
  z.strictObject({ kind: z.literal("Trc10"), tokenId: transferField, to, amount: amountField, ...ending }),
  /** a token of a contract on TRON */
  z.strictObject({ kind: z.literal("Trc20"), contract: transferField, to, amount: amountField, ...ending }),
  z.strictObject({ kind: z.literal("Trc721"), ...piece, ...ending }),
]);
export type TransferBody = z.infer<typeof transferBodySchema>;
